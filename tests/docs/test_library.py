"""Using Rimshot as a library: a list of strings is searched in five lines."""

import subprocess
import sys
import textwrap

FIVE_LINES = """
from rimshot import Doc, build_index, open_index, parse, search
texts = ["The banker lost interest.", "Bakers knead the dough.", "A river bank is no place for a vault."]
build_index([Doc(str(n), text, "en") for n, text in enumerate(texts)], "jokes.rim")
index = open_index("jokes.rim")
print([hit.doc.text for hit in search(parse("Bm25() % 10"), "bank", index).hits(index)])
"""


def test_five_lines_search_a_list_of_strings(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(FIVE_LINES)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['A river bank is no place for a vault.']"
    assert len(FIVE_LINES.strip().splitlines()) == 5


def test_names_of_the_package_are_documented_and_there():
    import rimshot

    for name in rimshot.__all__:
        assert getattr(rimshot, name) is not None
