"""The index of tests by rule: read from the tests' marks, written into docs/reference/rules.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent
PAGE = FOLDER.parents[1] / "docs" / "reference" / "rules.md"
BEGIN = "<!-- tests: written by tools/rules_table -->"
END = "<!-- end of tests -->"
_RULE = re.compile(r"^- \*\*([A-Z]-\d+)\*\* ", re.MULTILINE)


def rule_ids(page: str) -> list[str]:
    r"""Return the ids of the rules a page states, in their order.

    >>> rule_ids("- **S-1** The deck.\n- **S-2** The deal, see S-1.")
    ['S-1', 'S-2']
    """
    return _RULE.findall(page)


def find_tests() -> dict[str, list[tuple[str, str]]]:
    """Return the tests of every rule by their marks, each as a file name and a function name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(FOLDER.glob("test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for rule in _marked(node):
                    found.setdefault(rule, []).append((path.name, node.name))
    return found


def _marked(function: ast.FunctionDef) -> Iterator[str]:
    """Return the rules in a function's `@pytest.mark.rule(...)`."""
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule":
            yield from (ast.literal_eval(argument) for argument in decorator.args)


def with_tests(page: str) -> str:
    """Return a page with the table after each chapter rebuilt from the tests."""
    tests = find_tests()
    parts = re.split(rf"{re.escape(BEGIN)}.*?{re.escape(END)}", page, flags=re.DOTALL)
    written = [f"{part}{BEGIN}\n{_table(part, tests)}\n{END}" for part in parts[:-1]]
    return "".join(written) + parts[-1]


def _table(chapter: str, tests: dict[str, list[tuple[str, str]]]) -> str:
    rows = ["", "| rule | tests in `tests/rules` |", "|---|---|"]
    rows += [f"| {rule} | {_cell(tests.get(rule, []))} |" for rule in rule_ids(chapter)]
    return "\n".join([*rows, ""])


def _cell(tests: list[tuple[str, str]]) -> str:
    """Return the tests of a rule by file, each name as a sentence."""
    files: dict[str, list[str]] = {}
    for file, name in tests:
        files.setdefault(file, []).append(name.removeprefix("test_").replace("_", " "))
    return "<br>".join(f"`{file}`: {'; '.join(names)}" for file, names in files.items())


if __name__ == "__main__":
    PAGE.write_text(with_tests(PAGE.read_text("utf-8")), "utf-8")
