"""A small collection with everything known of it, and the service over it, for the tests of service and page."""

import http.client
import json
import socket
import threading
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

import numpy as np
import uvicorn

from rimshot.corpus import Doc
from rimshot.index import build_index, write_index
from rimshot.serve.app import build_app
from rimshot.serve.limits import Limits
from rimshot.serve.server import settings

HOMO, HETERO = "homographic", "heterographic"
# id, language, text, pun word, kind, pattern, level, the two readings, family
JOKES = [
    ("j1", "en", "The baker's gossip column is the yeast of my worries.", "yeast", HETERO, "one-liner", "B2",
     [("yeast", "what makes bread rise"), ("least", "the smallest amount")], 1),
    ("j2", "en", "Of all my worries, said the miller, bread that rises in secret is the yeast.", "yeast", HETERO, "dialogue",
     "B2", [("yeast", "what makes bread rise"), ("least", "the smallest amount")], 1),
    ("j3", "en", "I asked the loaf of bread for money and it said it was all crust up in bonds.", "crust", HETERO, "one-liner",
     "C1", [("crust", "the hard outside of bread"), ("trust", "an arrangement about money")], -1),
    ("j4", "en", "Why did the toaster join the band? It wanted to jam with bread.", "jam", HOMO, "question-answer", "A2",
     [("jam", "fruit boiled with sugar"), ("jam", "to play music together")], -1),
    ("j5", "en", "The dentist and the manicurist of the bread factory fought tooth and nail.", "tooth and nail", HOMO,
     "one-liner", "B1", [("tooth and nail", "with all one's strength"), ("tooth and nail", "what each of them works on")], -1),
    ("j6", "en", "Night watch at the bank of the river: nobody withdrew anything, not even the tide.", "bank", HOMO,
     "one-liner", "B1", [("bank", "the edge of a river"), ("bank", "a house for money")], 2),
    ("j7", "en", "A fisherman guarded the bank till dawn and reports that only the water was withdrawn.", "bank", HOMO,
     "one-liner", "B2", [("bank", "the edge of a river"), ("bank", "a house for money")], 2),
    ("j8", "pt", "O padeiro foi ao banco pedir massa e deram-lhe pão.", "massa", HOMO, "one-liner", "B1",
     [("massa", "mistura de farinha e água"), ("massa", "dinheiro")], -1),
    ("j9", "pt", "Porque é que o pão não fala? Porque tem a boca em côdea fechada.", "côdea", HETERO, "question-answer", "C1",
     [("côdea", "a parte dura do pão"), ("corda", "um fio grosso")], -1),
    ("x1", "en", "My bread has <script>alert('crumbs')</script> & \"quotes\" baked into it.", "baked", HOMO, "one-liner", "B1",
     [("baked", "cooked in an oven"), ("baked", "put in so that it cannot be taken out")], -1),
    ("w1", "en", "That damned apprentice loafs all day.", "loafs", HOMO, "one-liner", "B1", [("loafs", "is idle"), ("loafs", "bread")], -1),
]  # fmt: skip
PLAIN = [
    ("p1", "en", "Bread keeps best in a box of wood."),
    ("p2", "en", "The bank opens at nine and closes at four."),
    ("p3", "en", "Rye bread is darker than bread made of wheat."),
    ("p4", "pt", "O pão de centeio é mais escuro do que o de trigo."),
    ("p5", "en", "=SUM(bread) is what the cell in the bread sheet said."),
    *((f"q{at}", "en", f"Shelf {at} of the bread shop holds {at} loaves of bread.") for at in range(20)),
]


def build(path):
    """Build the collection with humour, explanations and families."""
    rows = [*(row[:3] for row in JOKES), *PLAIN]
    build_index([Doc(doc_id, text, lang) for doc_id, lang, text in rows], path)
    records, families = [], []
    for at in range(len(rows)):
        if at < len(JOKES):
            _, _, text, word, kind, pattern, level, readings, family = JOKES[at]
            start = text.index(word)
            records.append(
                {
                    "humour": 0.9,
                    "word": word,
                    "start": start,
                    "end": start + len(word),
                    "kind": kind,
                    "senses": [["bank%1:14:00::", "bank%1:17:01::"]] if word == "bank" else [],
                    "alternatives": [readings[1][0]] if kind == HETERO else [],
                    "sentence": f'"{word}" is read in two ways: {readings[0][1]}; or {readings[1][1]}.',
                    "confidence": 0.8,
                    "patterns": [pattern],
                    "lang": JOKES[at][1],
                    "level": level,
                    "warnings": ["profanity"] if "damned" in text else [],
                    "glosses": [[readings[0][1], readings[1][1]]],
                    "support": [[["bread"], []]],
                    "sounds": [{"lemma": readings[1][0], "form": readings[1][0]}] if kind == HETERO else [],
                    "idiom": None,
                }
            )
            families.append(family if family >= 0 else 100 + at)
        else:
            records.append({"humour": 0.05, "word": None, "patterns": ["one-liner"]})
            families.append(100 + at)
    humour = [0.9 - at / 100 if at < len(JOKES) else 0.05 for at in range(len(rows))]
    with write_index(path) as writer:
        writer.set_column("humour", np.array(humour, dtype=np.float32))
        writer.set_records("pun", records)
        writer.set_column("family", np.array(families, dtype=np.int32))
    return path


class Answer:
    """A status, headers in lower case, and a body."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode()

    def json(self):
        return json.loads(self.body)


class Address:
    """A running service."""

    def __init__(self, url):
        self.url = url

    def ask(self, path, method="GET", body=None, **headers):
        parts = urlsplit(self.url)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named, encode_chunked="Transfer-Encoding" in named)
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def post(self, path, value, **headers):
        return self.ask(path, "POST", json.dumps(value), **{"Content-Type": "application/json", **headers})


@contextmanager
def running(app):
    """Run an application on a free port of this machine."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(settings(app))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.01)
    port = listener.getsockname()[1]
    try:
        yield Address(f"http://127.0.0.1:{port}")
    finally:
        server.should_exit = True
        thread.join(timeout=30)
        listener.close()


@contextmanager
def serving(path, limits=None, access=None):
    """Serve an index; limits are generous unless given."""
    with running(build_app(path, limits=limits or Limits(rate=10_000, burst=10_000), access=access)) as address:
        yield address
