"""People who have no pointer: what others click, they walk to with the Tab key and press. They see where they are.

`only(page)` makes a page theirs; `tap`, `write` and `choose` then do with keys what they do with a pointer elsewhere.
"""

from __future__ import annotations

from weakref import WeakSet

from playwright.sync_api import Locator, Page

STEPS = 300  # more than any page has stops
_THEIRS: WeakSet[Page] = WeakSet()
# Where the focus is, looked at from a control: on it ("here"; for radios on any of their group), before or after it.
_WHERE = """node => {
    const goal = node.matches('label') ? node.control : node, at = document.activeElement;
    const group = goal.type === 'radio' && at.type === 'radio' && at.name === goal.name && at.form === goal.form;
    if (at === goal || group) return 'here';
    return at.compareDocumentPosition(goal) & Node.DOCUMENT_POSITION_PRECEDING ? 'before' : 'after';
}"""
# What is wrong with how the focus shows: "" for a ring on the control or its label, inside the window.
_SHOWS = """() => {
    const at = document.activeElement, label = at.closest('label');
    const ring = node => {
        const style = node && getComputedStyle(node);
        return style && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
    };
    const box = (label || at).getBoundingClientRect();
    const what = (label || at).outerHTML.slice(0, 200);
    if (!at.matches(':focus-visible') || !(ring(at) || ring(label))) return `no ring: ${what}`;
    return box.bottom > 0 && box.top < innerHeight ? '' : `out of sight: ${what}`;
}"""


def only(page: Page) -> None:
    """From now on nothing on this page is clicked; a pointer that is used after all counts as an error of the page."""
    _THEIRS.add(page)
    page.add_init_script("addEventListener('pointerdown', () => console.error('a pointer was used'), true)")


def tap(control: Locator) -> None:
    """Press a button, follow a link, open a fold, take a choice."""
    if control.page not in _THEIRS:
        control.click()
        return
    walk(control)
    kind = control.evaluate("node => (node.matches('label') ? node.control : node).type || ''")
    if kind == "radio":
        _take(control)
    else:
        control.page.keyboard.press("Space" if kind == "checkbox" else "Enter")


def write(control: Locator, text: str) -> None:
    """Put this text into a field in place of what it holds."""
    if control.page not in _THEIRS:
        control.fill(text)
        return
    walk(control)
    control.page.keyboard.press("Control+a")
    control.page.keyboard.insert_text(text)


def choose(control: Locator, value: str) -> None:
    """Choose an entry of a list by its value."""
    if control.page not in _THEIRS:
        control.select_option(value)
        return
    walk(control)
    script = "(node, value) => [...node.options].findIndex(one => one.value === value) - node.selectedIndex"
    steps = control.evaluate(script, value)
    for _step in range(abs(steps)):
        control.page.keyboard.press("ArrowDown" if steps > 0 else "ArrowUp")
    assert control.input_value() == value


def walk(control: Locator) -> None:
    """Go to a control with the Tab key; the focus must show there."""
    keyboard = control.page.keyboard
    for _step in range(STEPS):
        where = control.evaluate(_WHERE)
        if where == "here":
            wrong = control.page.evaluate(_SHOWS)
            assert not wrong, wrong
            return
        keyboard.press("Shift+Tab" if where == "before" else "Tab")
    raise AssertionError(f"no key leads to {control}")


def _take(radio: Locator) -> None:
    """One of a group, from wherever the focus is in it."""
    checked = "node => (node.matches('label') ? node.control : node).checked"
    if not radio.evaluate(checked):
        radio.page.keyboard.press("Space")
    for _step in range(STEPS):
        if radio.evaluate(checked):
            return
        radio.page.keyboard.press("ArrowRight")
    raise AssertionError(f"no arrow leads to {radio}")
