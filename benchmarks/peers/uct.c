/* A plain UCT player for the five rulebooks: UCB1 in the tree, random play below it, and no more.

   It knows the rules and nothing about good play, remembers nothing from move to move, proves
   nothing, and thinks on one core.  A set of cells is a few 64-bit words, bit `cell` for the cell
   row * columns + column.  What a cell touches lies within two neighbouring words (a window), since
   it is at most two rows and two cells apart.  So an action changes two words of a set at most.

   The number of words and the rulebook are arguments of every small function; all are inlined, so
   that each pair of them gets a search of its own in which both are constants. */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

#define MOST_SIDE 19
#define MOST_CELLS (MOST_SIDE * MOST_SIDE)
#define MOST_WORDS 6
#define MOST_ACTIONS (2 * MOST_CELLS) /* of a game: in race every turn is two */
#define NO_CELL (-1)
#define CLOCK_EVERY 32 /* playouts from one look at the clock to the next */

#define INLINE static inline __attribute__((always_inline))

enum { OCCUPATION, DUEL, CLAIM, TRAIL, RACE };
enum { EMPTY, MARK_ONE, MARK_TWO, HOLE };
enum { MOVE, BLOCK };

typedef struct {
    int word;
    uint64_t first, second; /* of that word, and of the next one */
} Window;

typedef struct {
    int book, rows, columns, cells;
    Window orthogonal[MOST_CELLS], king[MOST_CELLS];
} Board;

/* In duel and trail the same cells are open to both players, and in race the same are free: then
   only the first set is in use. */
typedef struct {
    uint64_t open[2][MOST_WORDS + 1];
    int mover; /* 0 or 1 */
    int last;  /* trail: the cell taken last, or NO_CELL */
    int token[2], phase, is_over; /* race */
} State;

typedef struct {
    Board board;
    State state;
} Game;

/* ---- sets of cells ---- */

INLINE void put(uint64_t *set, int cell) { set[cell >> 6] |= (uint64_t)1 << (cell & 63); }

INLINE void drop(uint64_t *set, int cell) { set[cell >> 6] &= ~((uint64_t)1 << (cell & 63)); }

INLINE void drop_near(uint64_t *set, const Window *near, int words)
{
    set[near->word] &= ~near->first;
    if (words > 1)
        set[near->word + 1] &= ~near->second;
}

/* Return the place of the bit that has `rank` bits set below it. */
INLINE int select_bit(uint64_t word, int rank)
{
#ifdef __BMI2__
    return (int)_tzcnt_u64(_pdep_u64((uint64_t)1 << rank, word));
#else
    while (rank--)
        word &= word - 1;
    return __builtin_ctzll(word);
#endif
}

/* ---- chance ---- */

INLINE uint64_t next_random(uint64_t *rng)
{
    *rng += 0xa0761d6478bd642fULL;
    __uint128_t product = (__uint128_t)*rng * (*rng ^ 0xe7037ed1a0b428dbULL);
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

INLINE int random_below(uint64_t *rng, int count)
{
    return (int)((next_random(rng) >> 32) * (uint64_t)count >> 32);
}

/* Return a cell of a set, all alike, or NO_CELL of an empty one. */
INLINE int pick(const uint64_t *set, int words, uint64_t *rng)
{
    int counts[MOST_WORDS], count = 0;
    for (int word = 0; word < words; word++)
        count += counts[word] = __builtin_popcountll(set[word]);
    if (!count)
        return NO_CELL;
    int rank = random_below(rng, count), word = 0;
    while (word < words - 1 && rank >= counts[word])
        rank -= counts[word++];
    return 64 * word + select_bit(set[word], rank);
}

/* Return a cell of a set that a window shows, all alike, or NO_CELL. */
INLINE int pick_near(const uint64_t *set, const Window *near, int words, uint64_t *rng)
{
    uint64_t first = set[near->word] & near->first;
    uint64_t second = words > 1 ? set[near->word + 1] & near->second : 0;
    int below = __builtin_popcountll(first), count = below + __builtin_popcountll(second);
    if (!count)
        return NO_CELL;
    int rank = random_below(rng, count), start = 64 * near->word;
    return rank < below ? start + select_bit(first, rank)
                        : start + 64 + select_bit(second, rank - below);
}

/* ---- the rules ---- */

INLINE bool is_shared(int book) { return book == DUEL || book == TRAIL || book == RACE; }

INLINE uint64_t *open_to(State *state, int player, int book)
{
    return state->open[is_shared(book) ? 0 : player];
}

INLINE int goal_of(const Board *board, int player) { return player ? 0 : board->cells - 1; }

/* Return the window that shows where the mover may choose, or NULL for anywhere. */
INLINE const Window *choice(const Board *board, const State *state, int book)
{
    if (book == RACE) {
        int token = state->token[state->mover];
        return state->phase == MOVE ? &board->orthogonal[token] : &board->king[token];
    }
    return book == TRAIL && state->last != NO_CELL ? &board->orthogonal[state->last] : NULL;
}

/* Fill in the cells that the mover may choose; return how many they are. */
INLINE int legal(const Board *board, State *state, uint64_t *cells, int words, int book)
{
    int count = 0;
    memset(cells, 0, (MOST_WORDS + 1) * sizeof *cells);
    if (book == RACE && state->is_over)
        return 0;
    const uint64_t *open = open_to(state, state->mover, book);
    const Window *near = choice(board, state, book);
    if (near) {
        cells[near->word] = open[near->word] & near->first;
        cells[near->word + 1] = open[near->word + 1] & near->second;
    } else {
        memcpy(cells, open, (size_t)words * sizeof *cells);
    }
    for (int word = 0; word < words; word++)
        count += __builtin_popcountll(cells[word]);
    return count;
}

/* Return a legal cell, all alike, or NO_CELL where the mover has lost. */
INLINE int random_legal(const Board *board, State *state, uint64_t *rng, int words, int book)
{
    if (book == RACE && state->is_over)
        return NO_CELL;
    const uint64_t *open = open_to(state, state->mover, book);
    const Window *near = choice(board, state, book);
    return near ? pick_near(open, near, words, rng) : pick(open, words, rng);
}

/* Play race: a step goes before a block.  There always is a cell to block: the one just left. */
INLINE void play_race(const Board *board, State *state, int cell)
{
    uint64_t *is_free = state->open[0];
    int mover = state->mover;
    drop(is_free, cell);
    if (state->phase == MOVE) {
        put(is_free, state->token[mover]);
        state->token[mover] = cell;
        state->is_over = cell == goal_of(board, mover);
        state->phase = state->is_over ? MOVE : BLOCK;
        state->mover = state->is_over ? 1 - mover : mover;
    } else {
        state->phase = MOVE;
        state->mover = 1 - mover;
    }
}

/* Close what a mark closes: to the player who made it, and to the other. */
INLINE void mark(const Board *board, State *state, int player, int cell, int words, int book)
{
    uint64_t *own = open_to(state, player, book), *other = open_to(state, 1 - player, book);
    drop(own, cell);
    drop(other, cell);
    if (book == OCCUPATION)
        drop_near(other, &board->king[cell], words);
    if (book == CLAIM)
        drop_near(own, &board->king[cell], words);
    if (book == DUEL)
        drop_near(own, &board->orthogonal[cell], words);
}

INLINE void play(const Board *board, State *state, int cell, int words, int book)
{
    if (book == RACE) {
        play_race(board, state, cell);
        return;
    }
    mark(board, state, state->mover, cell, words, book);
    state->last = cell;
    state->mover = 1 - state->mover;
}

/* Play at random to the end and return the winner, and the cells chosen unless that is NULL. */
INLINE int play_out(const Board *board, State *state, uint64_t *rng, int16_t *cells, int words,
                    int book)
{
    for (;;) {
        int cell = random_legal(board, state, rng, words, book);
        if (cells)
            *cells++ = (int16_t)cell; /* NO_CELL at the end */
        if (cell == NO_CELL)
            return 1 - state->mover;
        play(board, state, cell, words, book);
    }
}

/* ---- the tree ---- */

/* The children of a node: how often each was visited and won for who moved there, its own children
   if there are any yet, and its cell.  They stand in random order; the first `tried` were visited.
   A pool of bytes holds all families, one after the other; a link counts in units of LINK bytes. */
typedef struct {
    int32_t visits;
    uint16_t count, tried;
} Family;

#define LINK 8

typedef struct {
    uint8_t *bytes;
    size_t size, used;
} Pool;

typedef struct {
    Family *family;
    int child, player;
} Step;

INLINE int32_t *visits_of(Family *family) { return (int32_t *)(family + 1); }

INLINE int32_t *wins_of(Family *family) { return visits_of(family) + family->count; }

INLINE uint32_t *links_of(Family *family) { return (uint32_t *)(wins_of(family) + family->count); }

INLINE uint16_t *cells_of(Family *family) { return (uint16_t *)(links_of(family) + family->count); }

INLINE Family *family_at(const Pool *pool, uint32_t link)
{
    return (Family *)(pool->bytes + (size_t)link * LINK);
}

/* Return the link of a new family of these cells, or 0 where the pool is full. */
static uint32_t new_family(Pool *pool, const uint64_t *cells, int count, uint64_t *rng)
{
    size_t each = 2 * sizeof(int32_t) + sizeof(uint32_t) + sizeof(uint16_t);
    size_t size = (sizeof(Family) + (size_t)count * each + LINK - 1) / LINK * LINK;
    if (pool->used + size > pool->size)
        return 0;
    uint32_t link = (uint32_t)(pool->used / LINK);
    Family *family = family_at(pool, link);
    pool->used += size;
    memset(family, 0, size);
    family->count = (uint16_t)count;
    uint16_t *order = cells_of(family);
    int filled = 0;
    for (int word = 0; word < MOST_WORDS; word++)
        for (uint64_t left = cells[word]; left; left &= left - 1) {
            int place = random_below(rng, filled + 1);
            order[filled++] = order[place];
            order[place] = (uint16_t)(64 * word + __builtin_ctzll(left));
        }
    return link;
}

/* Return the child with the highest upper confidence bound: one not tried yet, if there is one. */
INLINE int select_child(Family *family, float exploration)
{
    if (family->tried < family->count)
        return family->tried++;
    int count = family->count, best = 0;
    const int32_t *visits = visits_of(family), *wins = wins_of(family);
    float factor = exploration * sqrtf(logf((float)family->visits)), bounds[MOST_CELLS];
    for (int child = 0; child < count; child++) {
        float inverse = 1.0F / (float)visits[child];
        bounds[child] = (float)wins[child] * inverse + factor * sqrtf(inverse);
    }
    for (int child = 1; child < count; child++)
        best = bounds[child] > bounds[best] ? child : best;
    return best;
}

/* Tell whether a leaf has been visited often enough to be given children.

   A family takes room, and until a quarter of it has been tried it says little: up to then random
   play from the leaf does what UCB1 would do, which is to try the children in random order. */
INLINE bool is_ripe(int visits, int count) { return count && visits && 4 * visits >= count; }

/* Walk down from the root, let the tree grow by a family at most, and play to the end. */
INLINE void play_one(const Board *board, State state, Pool *pool, uint32_t root, float exploration,
                     uint64_t *rng, int words, int book)
{
    Step path[MOST_ACTIONS];
    int depth = 0;
    bool has_grown = false;
    for (uint32_t link = root; link;) {
        Family *family = family_at(pool, link);
        int child = select_child(family, exploration);
        path[depth++] = (Step){family, child, state.mover};
        play(board, &state, cells_of(family)[child], words, book);
        link = links_of(family)[child];
        if (!link && !has_grown) {
            uint64_t cells[MOST_WORDS + 1];
            int count = legal(board, &state, cells, words, book);
            if (is_ripe(visits_of(family)[child], count)) {
                link = links_of(family)[child] = new_family(pool, cells, count, rng);
                has_grown = true;
            }
        }
    }
    int winner = play_out(board, &state, rng, NULL, words, book);
    while (depth--) {
        Step *step = &path[depth];
        step->family->visits++;
        visits_of(step->family)[step->child]++;
        wins_of(step->family)[step->child] += step->player == winner;
    }
}

/* ---- the search ---- */

typedef struct {
    double seconds;   /* 0 for as long as it takes */
    int64_t playouts; /* 0 for as many as there is time for */
    double exploration;
    uint64_t seed;
    uint64_t memory; /* bytes for the tree */
} Limits;

typedef struct {
    int32_t cell;
    int32_t is_out_of_memory; /* whether the tree has stopped growing */
    int64_t playouts;
    double share; /* of the playouts with this cell that the mover won */
} Found;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static Found most_visited(Family *root, int64_t playouts)
{
    int best = 0;
    for (int child = 1; child < root->count; child++)
        if (visits_of(root)[child] > visits_of(root)[best])
            best = child;
    int visits = visits_of(root)[best];
    double share = visits ? (double)wins_of(root)[best] / visits : 0.5;
    return (Found){cells_of(root)[best], 0, playouts, share};
}

INLINE Found search(const Game *game, Pool *pool, const Limits *limits, double began, int words,
                    int book)
{
    const Board *board = &game->board;
    State start = game->state;
    uint64_t rng = limits->seed, cells[MOST_WORDS + 1];
    int count = legal(board, &start, cells, words, book);
    uint32_t root = new_family(pool, cells, count, &rng);
    int64_t playouts = 0;
    while (root && count > 1) {
        if (limits->playouts && playouts >= limits->playouts)
            break;
        if (limits->seconds > 0 && playouts % CLOCK_EVERY == 0 && now() - began >= limits->seconds)
            break;
        play_one(board, start, pool, root, (float)limits->exploration, &rng, words, book);
        playouts++;
    }
    if (!root || !count)
        return (Found){NO_CELL, 1, 0, 0.0};
    Found found = most_visited(family_at(pool, root), playouts);
    found.is_out_of_memory = pool->used + LINK * MOST_CELLS * 2 > pool->size;
    return found;
}

/* Call a function with the rulebook, and with the number of words, as constants. */
#define BY_BOOK(call, words)                                                                       \
    switch (game->board.book) {                                                                    \
    case OCCUPATION: return call(words, OCCUPATION);                                               \
    case DUEL: return call(words, DUEL);                                                           \
    case CLAIM: return call(words, CLAIM);                                                         \
    case TRAIL: return call(words, TRAIL);                                                         \
    default: return call(words, RACE);                                                             \
    }

#define BY_SIZE(call)                                                                              \
    if (game->board.cells <= 64)                                                                   \
        BY_BOOK(call, 1)                                                                           \
    else if (game->board.cells <= 128)                                                             \
        BY_BOOK(call, 2)                                                                           \
    else if (game->board.cells <= 256)                                                             \
        BY_BOOK(call, 4)                                                                           \
    else                                                                                           \
        BY_BOOK(call, MOST_WORDS)

static Found search_any(const Game *game, Pool *pool, const Limits *limits, double began)
{
#define SEARCH(words, book) search(game, pool, limits, began, words, book)
    BY_SIZE(SEARCH)
}

static int play_out_any(const Game *game, State *state, uint64_t *rng, int16_t *cells)
{
#define PLAY_OUT(words, book) play_out(&game->board, state, rng, cells, words, book)
    BY_SIZE(PLAY_OUT)
}

/* ---- what Python calls ---- */

static Window window_of(const Board *board, int cell, bool with_diagonals)
{
    uint64_t set[MOST_WORDS + 1] = {0};
    int row = cell / board->columns, column = cell % board->columns;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++) {
            int there = row + down, across = column + right;
            bool is_wanted = down && right ? with_diagonals : down || right;
            if (is_wanted && there >= 0 && there < board->rows && across >= 0 &&
                across < board->columns)
                put(set, there * board->columns + across);
        }
    Window near = {0, 0, 0};
    while (near.word < MOST_WORDS - 1 && !set[near.word])
        near.word++;
    near.first = set[near.word];
    near.second = set[near.word + 1];
    if (!near.first) /* nothing is near */
        near.word = 0;
    return near;
}

static void set_up(Game *game, const uint8_t *cells)
{
    const Board *board = &game->board;
    State *state = &game->state;
    for (int cell = 0; cell < board->cells; cell++)
        if (cells[cell] == EMPTY) {
            put(state->open[0], cell);
            put(state->open[1], cell);
        }
    for (int cell = 0; cell < board->cells; cell++) {
        int player = cells[cell] - MARK_ONE;
        if (cells[cell] != MARK_ONE && cells[cell] != MARK_TWO)
            continue;
        if (board->book == RACE)
            state->token[player] = cell;
        else
            mark(board, state, player, cell, MOST_WORDS, board->book);
    }
    int other = 1 - state->mover;
    state->is_over = board->book == RACE && state->token[other] == goal_of(board, other);
}

/* Return a position, to be freed, or NULL: `cells` holds what is on each cell, `mover` is 0 or 1. */
Game *uct_new(int book, int rows, int columns, const uint8_t *cells, int mover, int last, int phase)
{
    if (book < OCCUPATION || book > RACE || rows < 1 || columns < 1 || rows > MOST_SIDE ||
        columns > MOST_SIDE)
        return NULL;
    Game *game = calloc(1, sizeof *game);
    if (!game)
        return NULL;
    Board *board = &game->board;
    board->book = book;
    board->rows = rows;
    board->columns = columns;
    board->cells = rows * columns;
    for (int cell = 0; cell < board->cells; cell++) {
        board->orthogonal[cell] = window_of(board, cell, false);
        board->king[cell] = window_of(board, cell, true);
    }
    game->state.mover = mover;
    game->state.last = last;
    game->state.phase = phase;
    set_up(game, cells);
    return game;
}

void uct_free(Game *game) { free(game); }

int uct_mover(const Game *game) { return game->state.mover; }

/* Fill in 1 for each legal cell and 0 for the others; return how many are legal. */
int uct_legal(Game *game, uint8_t *is_legal)
{
    uint64_t cells[MOST_WORDS + 1];
    int count = legal(&game->board, &game->state, cells, MOST_WORDS, game->board.book);
    for (int cell = 0; cell < game->board.cells; cell++)
        is_legal[cell] = cells[cell >> 6] >> (cell & 63) & 1;
    return count;
}

/* Play a legal cell. */
void uct_play(Game *game, int cell)
{
    play(&game->board, &game->state, cell, MOST_WORDS, game->board.book);
}

/* Play at random to the end, leaving the position as it is; return the winner, 0 or 1.
   The cells chosen are followed by NO_CELL; there are MOST_ACTIONS + 1 with it at most. */
int uct_play_out(const Game *game, uint64_t seed, int16_t *cells)
{
    State state = game->state;
    return play_out_any(game, &state, &seed, cells);
}

/* Search; the cell found is NO_CELL where there is none, or no memory. */
Found uct_search(const Game *game, const Limits *limits)
{
    double began = now();
    Pool pool = {malloc(limits->memory), limits->memory, LINK}; /* a link of 0 is none */
    if (!pool.bytes)
        return (Found){NO_CELL, 1, 0, 0.0};
    Found found = search_any(game, &pool, limits, began);
    free(pool.bytes);
    return found;
}
