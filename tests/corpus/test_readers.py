import gzip
import json
import tracemalloc

import pytest

from rimshot.corpus import Doc, DocReader, read_docs, read_queries
from rimshot.errors import InputError

ROWS = [{"docid": 1, "text": "One é"}, {"docid": 2, "text": 'Two, "quoted"'}]
DOCS = [Doc("1", "One é", "en"), Doc("2", 'Two, "quoted"', "en")]

FORMS = {
    "a.json": json.dumps(ROWS, ensure_ascii=False),
    "b.json": json.dumps(ROWS, indent=2),
    "c.jsonl": "\n".join(json.dumps(row) for row in ROWS) + "\n\n",
    "d.csv": 'docid,text\n1,One é\n2,"Two, ""quoted"""\n',
    "e.tsv": 'docid\ttext\n1\tOne é\n2\tTwo, "quoted"\n',
    "f.trec": "<DOC>\n<DOCNO> 1 </DOCNO>\n<TEXT>\nOne é\n</TEXT>\n</DOC>\n"
    '<DOC><DOCNO>2</DOCNO><TEXT>Two, "quoted"</TEXT></DOC>\n',
    "no-suffix": json.dumps(ROWS),
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_every_format(tmp_path, name, packed, mark):
    data = mark + FORMS[name].encode()
    path = tmp_path / (name + (".gz" if packed else ""))
    path.write_bytes(gzip.compress(data) if packed else data)
    assert list(read_docs(path, "en")) == DOCS


def test_integer_ids_are_remembered(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(ROWS))
    reader = DocReader([path])
    assert [doc.id for doc in reader] == ["1", "2"]
    assert reader.integer_ids
    path.write_text(json.dumps([*ROWS, {"docid": "x", "text": "three"}]))
    list(reader)
    assert not reader.integer_ids


FAULTS = {
    "broken array": (
        "a.json",
        b'[{"docid": 1, "text": "a"},\n{"docid": 2 "text": "b"}]',
        r"a\.json, line 2: item 2: broken JSON",
    ),
    "array not closed": ("a.json", b'[{"docid": 1, "text": "a"}', r"line 1: broken JSON after item 1"),
    "text after array": ("a.json", b'[{"docid": 1, "text": "a"}] x', "text after the end"),
    "empty array": ("a.json", b"[]", "array is empty"),
    "not an object": ("a.json", b"[1]", "item 1: 1 is not an object"),
    "broken line": (
        "a.jsonl",
        b'{"docid": 1, "text": "a"}\n{"docid": 2,\n',
        r"a\.jsonl, line 2, column \d+: broken JSON",
    ),
    "no text": ("a.json", b'[{"docid": 1}]', 'item 1: there is no field "text"'),
    "no id": ("a.json", b'[{"text": "a"}]', 'item 1: there is no field "docid"'),
    "empty text": ("a.json", b'[{"docid": 1, "text": "  "}]', 'item 1, field "text": the text is empty'),
    "empty id": ("a.json", b'[{"docid": "", "text": "a"}]', 'item 1, field "docid": the identifier is empty'),
    "id of another kind": ("a.json", b'[{"docid": 1.5, "text": "a"}]', "1.5 is not an identifier"),
    "text of another kind": ("a.json", b'[{"docid": 1, "text": 7}]', "'7' is not a text"),
    "same id": (
        "a.json",
        b'[{"docid": 1, "text": "a"}, {"docid": "1", "text": "b"}]',
        r'item 2: the id "1" stands already at .*item 1',
    ),
    "latin-1": (
        "a.jsonl",
        '{"docid": 1, "text": "a"}\n{"docid": 2, "text": "é"}'.encode("latin-1"),
        "line 2: not UTF-8",
    ),
    "latin-1 array": ("a.json", '[\n{"docid": 2, "text": "é"}]'.encode("latin-1"), "line 2: not UTF-8"),
    "utf-16": ("a.json", '[{"docid": 2, "text": "é"}]'.encode("utf-16"), "UTF-16"),
    "half a pair": ("a.json", b'[{"docid": 1, "text": "\\ud800"}]', "surrogate"),
    "other columns": (
        "a.csv",
        b"number,joke\n1,a\n",
        r'line 2: there is no field "docid" \(the record has: number, joke\)',
    ),
    "uneven row": ("a.csv", b"docid,text\n1,a,b\n", "line 2: 3 fields where the header has 2"),
    "open quote": ("a.csv", b'docid,text\n1,"a\n', "broken table"),
    "empty file": ("a.json", b"", "the file is empty"),
    "blank file": ("a.json", b"\n \n", "the file is empty"),
    "header only": ("a.csv", b"docid,text\n", "no documents"),
    "unknown format": ("a.txt", b"hello\n", "not a format that is known"),
    "cut gzip": ("a.json.gz", gzip.compress(json.dumps(ROWS * 50).encode())[:-12], "gzip data is damaged"),
    "open document": ("a.trec", b"<DOC><DOCNO>1</DOCNO><TEXT>a</TEXT>", "document 1: </DOC> is missing"),
    "unknown language": ("a.json", b'[{"docid": 1, "text": "a", "lang": "fr"}]', 'field "lang": unknown language "fr"'),
}


@pytest.mark.parametrize("case", FAULTS)
def test_faults_name_the_place(tmp_path, case):
    name, data, message = FAULTS[case]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        list(read_docs(tmp_path / name))
    assert "\n" not in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)


def test_a_directory_is_refused(tmp_path):
    with pytest.raises(InputError, match="is a directory"):
        list(read_docs(tmp_path))


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        list(read_docs(tmp_path / "nothing.json"))


def test_unknown_language_option(tmp_path):
    with pytest.raises(InputError, match='unknown language "english"'):
        read_docs(tmp_path / "x", "english")


def test_same_id_in_two_files(tmp_path):
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps(ROWS[:1]))
    with pytest.raises(InputError, match=r"b\.json, item 1: the id \"1\" stands already at .*a\.json, item 1"):
        list(DocReader([tmp_path / "a.json", tmp_path / "b.json"]))


def test_same_id_far_apart(tmp_path, monkeypatch):
    monkeypatch.setattr("rimshot.corpus.readers._DUPLICATE_BLOCK", 8)
    rows = [{"docid": n, "text": "x"} for n in range(50)] + [{"docid": 3, "text": "y"}]
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    with pytest.raises(InputError, match=r"line 51: the id \"3\" stands already at .*line 4"):
        list(read_docs(tmp_path / "a.jsonl"))


def test_language_by_document(tmp_path):
    rows = [
        {"docid": 1, "text": "O gato que comeu o rato"},
        {"docid": 2, "text": "The cat that ate the rat"},
        {"docid": 3, "text": "Piano", "lang": "pt"},
    ]
    (tmp_path / "a.json").write_text(json.dumps(rows))
    assert [doc.lang for doc in read_docs(tmp_path / "a.json")] == ["pt", "en", "pt"]
    assert [doc.lang for doc in read_docs(tmp_path / "a.json", "pt")] == ["pt"] * 3


@pytest.mark.parametrize("array", [False, True])
def test_memory_does_not_grow_with_the_file(tmp_path, array):
    path = tmp_path / "big.json"
    text = "x" * 1000
    with path.open("w") as file:
        if array:
            file.write("[")
        for number in range(20_000):
            file.write((",\n" if array and number else "") + json.dumps({"docid": number, "text": text}))
            file.write("" if array else "\n")
        if array:
            file.write("]")
    tracemalloc.start()
    assert sum(1 for _ in read_docs(path, "en")) == 20_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 12 << 20 < path.stat().st_size


def test_queries(tmp_path):
    path = tmp_path / "q.json"
    path.write_text('[{"qid": "q1", "query": "math"}, {"qid": 2, "query": "Tom"}]')
    assert [(q.id, q.text) for q in read_queries(path)] == [("q1", "math"), ("2", "Tom")]
    path.write_text('[{"qid": "q1", "query": "math"}, {"qid": "q1", "query": "Tom"}]')
    with pytest.raises(InputError, match='item 2: the id "q1" stands already'):
        read_queries(path)
