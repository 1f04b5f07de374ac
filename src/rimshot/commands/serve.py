"""``rimshot serve``."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from rimshot.commands.terminal import add_index, console, positive, sample_folder
from rimshot.errors import InputError

HELP = """Serve the search page and the REST service.

Listens on this machine only. To let others in, give --host and protect the service with a key (the variable
RIMSHOT_API_KEY or --api-key-file), or say --public. A new version of the index is taken up while serving."""
EXAMPLES = """  rimshot serve
  rimshot serve --index jokes.rim --port 9000
  RIMSHOT_API_KEY=… rimshot serve --host 0.0.0.0"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_index(parser)
    parser.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help="where to listen (default: 127.0.0.1)")
    parser.add_argument("--port", metavar="N", type=int, default=8765, help="port (default: 8765; 0 takes a free one)")
    parser.add_argument("--public", action="store_true", help="let anyone who reaches the address search")
    parser.add_argument(
        "--api-key-file", metavar="FILE", type=Path, help="a file with the key that every request must carry"
    )
    parser.add_argument(
        "--behind-proxy", action="store_true", help="believe X-Forwarded-For of a proxy on this machine"
    )
    parser.add_argument(
        "--rate", metavar="N", type=positive, help="requests a second for each client (default: 20; 1000 on loopback)"
    )
    parser.add_argument(
        "--timeout", metavar="S", type=positive, default=10, help="seconds a request may take (default: 10)"
    )
    parser.add_argument("--threads", metavar="N", type=positive, help="searches at once (default: one for each core)")
    parser.add_argument("--log-queries", action="store_true", help="write what is asked into the log")
    parser.add_argument("--quiet", action="store_true", help="no line in the log for each request")


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from rimshot.serve.limits import Limits, check_exposure, is_loopback

    key = _key(args)
    check_exposure(args.host, public=args.public, key=key)
    if not 0 <= args.port <= 65535:
        raise InputError(f"--port {args.port}: a port lies between 0 and 65535")
    local = is_loopback(args.host)
    rate = args.rate if args.rate is not None else 1000 if local and not args.behind_proxy else 20
    limits = replace(Limits(), rate=float(rate), burst=3 * rate, seconds=float(args.timeout))
    return _serve(args, limits, key, local=local)


def _key(args: argparse.Namespace) -> str | None:
    if args.api_key_file is None:
        return os.environ.get("RIMSHOT_API_KEY") or None
    try:
        return str(args.api_key_file.read_text("utf-8").strip())
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(f"{args.api_key_file}: cannot be read ({fault}); name a file that holds the key") from None


def _serve(args: argparse.Namespace, limits: object, key: str | None, *, local: bool) -> int:
    import logging

    from rimshot.serve.app import build_app
    from rimshot.serve.gate import Access
    from rimshot.serve.limits import Limits
    from rimshot.serve.logs import log_to_stderr
    from rimshot.serve.server import serve

    assert isinstance(limits, Limits)
    path = args.index
    if path is None:
        path = sample_folder()
    hosts = (
        frozenset({"localhost", "127.0.0.1", "[::1]", args.host})
        if local and not args.public and not args.behind_proxy
        else None
    )
    access = Access(key, hosts, args.behind_proxy, args.log_queries)
    log_to_stderr(logging.WARNING if args.quiet else logging.INFO)
    app = build_app(path, limits=limits, access=access, threads=args.threads or os.cpu_count() or 2, awake=True)

    def started(address: str) -> None:
        console().print(f"Rimshot is at {address} (stop with Ctrl+C)", markup=False, highlight=False)
        sys.stdout.flush()

    serve(app, args.host, args.port, started)
    return 0
