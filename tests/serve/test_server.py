"""The socket that the service listens on."""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from rimshot.errors import InputError
from rimshot.serve.server import listen


def test_answers_are_sent_at_once():
    """Without TCP_NODELAY an answer in two parts waits 40 ms for an acknowledgement."""
    seen = []

    async def ask():
        def met(reader, writer):
            accepted = writer.get_extra_info("socket")
            seen.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        server = await asyncio.start_server(met, sock=listen("127.0.0.1", 0))
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        await reader.read()
        writer.close()
        await writer.wait_closed()
        server.close()
        await server.wait_closed()

    with ThreadPoolExecutor(1) as apart:  # a loop of another test may be running in this thread
        apart.submit(lambda: asyncio.run(ask())).result()
    assert seen and seen[0]


def test_an_address_in_use_is_refused_in_words():
    with listen("127.0.0.1", 0) as taken:
        taken.listen()
        with pytest.raises(InputError, match="choose another with --port"):
            listen("127.0.0.1", taken.getsockname()[1])
