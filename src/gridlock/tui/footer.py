"""The keys at the bottom of a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Footer

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import Binding
    from textual.screen import Screen


class KeyFooter(Footer):
    """The keys of a screen, made anew only when others are to be shown.

    Textual's own footer is made anew whenever keys might have changed, as when the focus moves:
    that is most of the work that a key costs.
    """

    def __init__(self) -> None:
        super().__init__(compact=True, show_command_palette=False)
        self._shown: list[tuple[Binding, bool, str]] | None = None

    def compose(self) -> ComposeResult:
        """Lay the keys out, and note which they are."""
        if self._bindings_ready:
            self._shown = _keys(self.screen)
        yield from super().compose()

    async def recompose(self) -> None:
        """Lay the keys out, unless they are shown already."""
        if self.is_attached and _keys(self.screen) != self._shown:
            await super().recompose()


def _keys(screen: Screen[object]) -> list[tuple[Binding, bool, str]]:
    """Return the keys that a footer shows."""
    return [
        (binding, enabled, tooltip)
        for _, binding, enabled, tooltip in screen.active_bindings.values()
        if binding.show
    ]
