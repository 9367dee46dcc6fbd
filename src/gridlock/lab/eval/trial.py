"""A trial under way: asks, keeps what comes, asks again where that helps, and plays on."""

from __future__ import annotations

import random
import threading
from collections import Counter
from queue import SimpleQueue
from typing import TYPE_CHECKING

from gridlock.engine import Engine
from gridlock.errors import GridlockError
from gridlock.lab.eval.model import FailureError, Question
from gridlock.lab.eval.plan import is_model
from gridlock.lab.eval.prompt import Outcome, again, read_answer
from gridlock.match import Match, play_match
from gridlock.model import Player
from gridlock.players import RANDOM, Bot, Seat, make
from gridlock.record import Record
from gridlock.search.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gridlock.clock import Clock
    from gridlock.lab.eval.journal import Event, Journal
    from gridlock.lab.eval.model import MESSAGE, Model, Reply
    from gridlock.lab.eval.plan import Plan, Task
    from gridlock.model import Game, Position

MODEL, OPPONENT = "model", "opponent"
"""Who is asked."""

PLAYED, FORFEIT, BROKEN_OFF, UNFINISHED = "played", "forfeit", "broken off", "unfinished"
"""How a game ended: by the rules; as no answer could be played; as none came; not yet."""

LONGEST_WAIT = 60.0  # seconds before a retry, whatever an endpoint asks for
_MEMORY = 1 << 26  # bytes for the searches of each game

_Key = tuple[str, int, str, int]
"""What an answer is to: task, action, who is asked, attempt."""


class _ForfeitError(GridlockError):
    """No answer could be played."""


class _BrokenOffError(GridlockError):
    """No answer came."""


class StoppedError(GridlockError):
    """The trial was stopped, or its budget is used up: the text says which."""


class Budget:
    """How many requests and tokens a trial may take, all its runs together."""

    def __init__(self, most_requests: int | None = None, most_tokens: int | None = None) -> None:
        self._most_requests = most_requests
        self._most_tokens = most_tokens
        self._lock = threading.Lock()
        self.requests = 0
        self.tokens = 0

    def take_request(self) -> int:
        """Count a request and return its number, or raise ``StoppedError``."""
        with self._lock:
            if self._most_requests is not None and self.requests >= self._most_requests:
                raise StoppedError(f"the budget of {self._most_requests} requests is used up")
            if self._most_tokens is not None and self.tokens >= self._most_tokens:
                raise StoppedError(f"the budget of {self._most_tokens} tokens is used up")
            self.requests += 1
            return self.requests

    def add_tokens(self, tokens: int) -> None:
        """Count the tokens of an answer."""
        with self._lock:
            self.tokens += tokens


class Trial:
    """Plays and asks everything in a plan that its journal does not have yet."""

    def __init__(
        self, plan: Plan, journal: Journal, events: Iterable[Event], budget: Budget, model: Model
    ) -> None:
        self._plan = plan
        self._template = plan.make_template()
        self._journal = journal
        self._budget = budget
        self._model = model
        self._opponents: dict[str, Model] = {}
        self._engines: dict[Game, Engine] = {}
        self._stopped = threading.Event()
        self._answers: dict[_Key, Event] = {}
        self._moves: dict[tuple[str, int], int] = {}
        self._ended: set[str] = set()
        for event in events:
            self._remember(event)

    def _remember(self, event: Event) -> None:
        """Take up an event of an earlier run."""
        if event["kind"] == "request":
            self._budget.requests = max(self._budget.requests, event["request"])
        elif event["kind"] == "answer":
            key = (event["task"], event["action"], event["who"], event["attempt"])
            self._answers[key] = event
            self._budget.tokens += event["tokens"]
        elif event["kind"] == "move":
            self._moves[event["task"], event["action"]] = event["cell"]
        elif event["kind"] == "end" and event["how"] != BROKEN_OFF:
            self._ended.add(event["task"])

    @property
    def left(self) -> list[Task]:
        """What has not been finished yet."""
        return [task for task in self._plan.tasks() if task.id not in self._ended]

    def run(
        self,
        opponents: dict[str, Model],
        at_once: int = 1,
        on_end: Callable[[str], None] = lambda _: None,
    ) -> Counter[str]:
        """Play and ask what is left; return how many games and positions ended how.

        ``on_end`` hears of each.  When this ends, whatever the reason, nothing more is asked.
        """
        self._opponents = opponents
        tasks = self.left
        for task in tasks:
            if task.game not in self._engines:
                self._engines[task.game] = Engine(task.game, Settings(memory=_MEMORY))
        waiting: SimpleQueue[Task | None] = SimpleQueue()
        done: SimpleQueue[str | Exception] = SimpleQueue()
        for item in (*tasks, *[None] * at_once):
            waiting.put(item)
        # As daemons, since nobody can wake a thread that waits for an endpoint.
        threads = [
            threading.Thread(target=self._work, args=(waiting, done), daemon=True)
            for _ in range(at_once)
        ]
        ends: Counter[str] = Counter()
        try:
            for thread in threads:
                thread.start()
            for _ in tasks:
                how = done.get()
                if isinstance(how, Exception):
                    raise how
                ends[how] += 1
                on_end(how)
        finally:
            self.stop()
        return ends

    def _work(self, waiting: SimpleQueue[Task | None], done: SimpleQueue[str | Exception]) -> None:
        """Do one task after the other, in a thread of its own."""
        while task := waiting.get():
            try:
                done.put(self._run_task(task))
            except Exception as error:  # noqa: BLE001 - it is raised where everybody waits
                done.put(error)

    def stop(self) -> None:
        """End what is under way; what it asked is asked again when the trial is resumed."""
        self._stopped.set()
        for model in (self._model, *self._opponents.values()):
            model.close()
        for engine in self._engines.values():
            engine.close()

    def _run_task(self, task: Task) -> str:
        """Play a game, or ask for one position, and write how it ended."""
        setup = None if task.opponent else task.start
        match = Match(Record(task.game, task.start.mover, setup=setup), lambda _: None)
        model = _Asked(lambda: self._decide(task, match, self._model, MODEL))
        opponent = self._opponent(task, match)
        how = PLAYED
        try:
            if task.opponent is None:
                match.play(model.choose(match.position))
            else:
                bots = (model, opponent) if task.seat is Player.ONE else (opponent, model)
                play_match(match, bots)
        except _ForfeitError:
            how = FORFEIT
            match.resign()
        except _BrokenOffError:
            how = BROKEN_OFF
        except StoppedError:
            return UNFINISHED
        finally:
            opponent.close()
        result = None if match.winner is None else "win" if match.winner is task.seat else "loss"
        moves = list(match.record.moves)
        self._journal.write("end", task=task.id, how=how, result=result, moves=moves)
        return how

    def _opponent(self, task: Task, match: Match) -> Bot:
        """Return the opponent of a game."""
        who = task.opponent
        if who is not None and is_model(who):
            return _Asked(lambda: self._decide(task, match, self._opponents[who], OPPONENT))
        rng = random.Random()
        bot = make(who or RANDOM, Seat(rng, self._engines[task.game]))

        def choose() -> int:
            action = len(match.record.moves)
            if (task.id, action) in self._moves:
                return self._moves[task.id, action]
            self._check_stop()
            rng.seed(self._plan.chance(task.id, action))
            cell = bot.choose(match.position)
            self._journal.write("move", task=task.id, action=action, cell=cell)
            return cell

        return _Asked(choose, bot)

    def _decide(self, task: Task, match: Match, model: Model, who: str) -> int:
        """Return the cell that a model chooses, after as many attempts as it takes."""
        position, moves = match.position, match.record.moves
        view = self._template.view(task.game, self._plan.seed)
        prompt = self._template.fill(view, position, moves).strip()
        messages: tuple[MESSAGE, ...] = ({"role": "user", "content": prompt},)
        for attempt in range(1, self._plan.attempts + 1):
            key = (task.id, len(moves), who, attempt)
            answer = self._answers.get(key) or self._ask(key, position, messages, model)
            if answer["outcome"] == Outcome.LEGAL:
                return int(answer["cell"])
            said = again(view, Outcome(answer["outcome"]), answer["cell"])
            messages = (
                *messages,
                {"role": "assistant", "content": answer["text"]},
                {"role": "user", "content": said},
            )
        raise _ForfeitError(f"{self._plan.attempts} answers could not be played")

    def _ask(
        self, key: _Key, position: Position, messages: tuple[MESSAGE, ...], model: Model
    ) -> Event:
        """Return the answer to a question when it is on the disk; ask again where none comes."""
        task, action, who, attempt = key
        names = {"task": task, "action": action, "who": who, "attempt": attempt}
        question = Question(messages, random.Random(self._plan.chance(*key)).getrandbits(31))
        for retry in range(self._plan.retries + 1):
            self._check_stop()
            number = self._budget.take_request()
            self._journal.write(
                "request", request=number, **names, seed=question.seed, messages=messages
            )
            try:
                reply = model.ask(question)
            except FailureError as error:
                self._check_stop()
                self._journal.write(
                    "failure", request=number, **names, error=error.kind, text=str(error)
                )
                if not error.may_pass:
                    break
                if retry < self._plan.retries:
                    self._wait(error.wait, retry)
            else:
                self._budget.add_tokens(reply.tokens)
                return self._keep(number, names, reply, position)
        raise _BrokenOffError("no answer came")

    def _keep(
        self, number: int, names: dict[str, object], reply: Reply, position: Position
    ) -> Event:
        """Write down an answer, and what it was read as."""
        view = self._template.view(position.game, self._plan.seed)
        outcome, cell = read_answer(view, position, reply.text)
        if reply.is_refused:
            outcome, cell = Outcome.REFUSED, None
        return self._journal.write(
            "answer", request=number, **names, text=reply.text, tokens=reply.tokens,
            outcome=outcome, cell=cell, cut_off=reply.is_cut_off, by=reply.by,
        )  # fmt: skip

    def _wait(self, told: float | None, retry: int) -> None:
        """Wait before a retry, as long as the endpoint says, or each time twice as long."""
        usual = self._plan.wait * 2.0**retry
        seconds = usual if told is None or not told >= 0 else told
        self._stopped.wait(min(seconds, LONGEST_WAIT))

    def _check_stop(self) -> None:
        if self._stopped.is_set():
            raise StoppedError("stopped")


class _Asked(Bot):
    """Somebody whose answers are kept in the journal, be it a model or a player."""

    def __init__(self, choose: Callable[[], int], bot: Bot | None = None) -> None:
        self._choose = choose
        self._bot = bot

    def new_game(self, game: Game) -> None:
        """Prepare for a game that begins."""
        if self._bot:
            self._bot.new_game(game)

    def choose(self, position: Position, clock: Clock | None = None) -> int:  # noqa: ARG002
        """Return a legal cell of a position that is not over."""
        return self._choose()

    def close(self) -> None:
        """Release what a player has."""
        if self._bot:
            self._bot.close()
