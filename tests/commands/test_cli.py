import json
import subprocess
import sys

import pytest

from rimshot.cli import COMMANDS, build_parser, main

JOKES = [
    {"docid": 1, "text": "The banker lost interest."},
    {"docid": 2, "text": "A river runs past the bank."},
    {"docid": 3, "text": "Bakers need the dough."},
]


@pytest.fixture
def collection(tmp_path):
    path = tmp_path / "jokes.json"
    path.write_text(json.dumps(JOKES))
    return path


@pytest.fixture
def built(tmp_path, collection, capsys):
    assert main(["index", str(collection), "--out", str(tmp_path / "i"), "--plain"]) == 0
    capsys.readouterr()
    return tmp_path / "i"


def said(capsys):
    out, err = capsys.readouterr()
    return out, err


def test_search_json_has_the_promised_fields(built, capsys):
    assert main(["search", "bank", "--index", str(built), "--preset", "bm25", "--json"]) == 0
    document = json.loads(said(capsys)[0])
    assert set(document) >= {"query", "pipeline", "hits"}
    assert document["query"] == "bank" and document["pipeline"] == "Bm25() % 1000"
    hit = document["hits"][0]
    assert set(hit) >= {"rank", "docid", "text", "score", "why"}
    assert hit["rank"] == 1 and hit["docid"] == 2
    assert hit["why"]["matched"] == ["bank"]


def test_search_for_people(built, capsys):
    assert main(["search", "river", "--index", str(built), "--preset", "bm25"]) == 0
    assert "river runs past" in said(capsys)[0]


def test_nothing_found_is_one(built, capsys):
    assert main(["search", "zebra", "--index", str(built), "--preset", "bm25"]) == 1
    assert "nothing about 'zebra'" in said(capsys)[0]
    assert main(["search", "zebra", "--index", str(built), "--preset", "bm25", "--json"]) == 1
    assert json.loads(said(capsys)[0])["hits"] == []


def test_append_and_delete(built, tmp_path, capsys):
    more = tmp_path / "more.jsonl"
    more.write_text('{"docid": 4, "text": "The bank of banks."}\n')
    assert main(["index", str(more), "--out", str(built), "--append", "--plain", "--json"]) == 0
    assert json.loads(said(capsys)[0])["documents"] == 4
    assert main(["delete", "4", "1", "--index", str(built), "--json"]) == 0
    assert json.loads(said(capsys)[0]) == {"index": str(built), "deleted": 2, "documents": 2}
    assert main(["delete", "4", "--index", str(built)]) == 2
    assert 'no document has the id "4"' in said(capsys)[1]


def test_info(built, capsys):
    assert main(["info", "--index", str(built), "--verify", "--json"]) == 0
    facts = json.loads(said(capsys)[0])
    assert facts["documents"] == 3 and facts["fields"] == ["text"] and facts["verified"]
    assert main(["info", "--index", str(built)]) == 0


MISTAKES = {
    ("serch", "x"): 'unknown command "serch"; did you mean "search"?',
    ("search",): "the following arguments are required: QUERY",
    ("search", " "): "the query is empty",
    ("search", "x", "--preset", "bm52"): 'unknown preset "bm52"; did you mean "bm25"?',
    ("search", "x", "--pipeline", "Bm25("): "is not a pipeline",
    ("search", "x", "--pipeline", ""): "--pipeline is empty",
    ("search", "x", "-k", "0"): "not a whole number of at least 1",
    ("search", "x", "--index", "/nowhere/at/all"): "there is no index",
    ("index", "/nowhere/a.json", "--out", "OUT"): "no such file",
    ("index", "COLLECTION", "--out", "OUT", "--lang", "fr"): 'unknown language "fr"',
    ("index", "COLLECTION", "--out", "OUT", "--append"): "there is no index to append to",
}


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_mistakes_are_one_line_and_two(words, tmp_path, collection, capsys):
    places = {"OUT": str(tmp_path / "out"), "COLLECTION": str(collection)}
    assert main([places.get(word, word) for word in words]) == 2
    out, err = said(capsys)
    assert out == "" and err.count("\n") == 1
    assert err.startswith("rimshot: ") and MISTAKES[words] in err
    assert not (tmp_path / "out").exists()


def test_no_command_shows_help(capsys):
    assert main([]) == 2
    assert "rimshot COMMAND --help" in said(capsys)[0]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(name, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    out = said(capsys)[0]
    assert "examples:" in out and f"rimshot {name}" in out


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion(shell, capsys):
    assert main(["completion", shell]) == 0
    assert "rimshot" in said(capsys)[0]


def test_the_whole_parser_builds():
    assert build_parser().prog == "rimshot"


def test_output_cut_short_is_no_error(built):
    program = f"import sys; from rimshot.cli import main; sys.exit(main(['search', 'bank', '--index', {str(built)!r}, '--preset', 'bm25']))"
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait()
