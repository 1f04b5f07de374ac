"""``rimshot augment``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from rimshot.commands.terminal import add_json, console, positive, print_json, progress
from rimshot.errors import InputError

HELP = (
    "Let a language model behind any OpenAI-compatible address explain every text of an index, and store vectors of text and "
    "explanation for Nearest(). It says what that will cost and asks first; an interrupted run goes on where it stopped. The "
    "texts of the index are sent to that address. With --own the index's own explanations are used and nothing is sent."
)
EXAMPLES = """  rimshot augment jokes.rim --endpoint http://localhost:11434/v1 --model qwen3:14b
  RIMSHOT_KEY=... rimshot augment jokes.rim --endpoint https://api.example.com/v1 --model NAME --price 0.15 0.60
  --rate 300
  rimshot augment jokes.rim --own
  rimshot search math --index jokes.rim --pipeline "Nearest() >> AtLeast(column='flagged')" """.rstrip()


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("index", metavar="DIR", type=Path, help="the index")
    parser.add_argument("--endpoint", metavar="URL", help="address up to /v1; /chat/completions is added")
    parser.add_argument("--model", metavar="NAME", help="the model to ask, as the server calls it")
    parser.add_argument(
        "--own", action="store_true", help="ask nobody: take the verdicts and explanations of the index"
    )
    parser.add_argument(
        "--key",
        metavar="VARIABLE",
        default="RIMSHOT_KEY",
        help="environment variable with the key (default: RIMSHOT_KEY)",
    )
    parser.add_argument(
        "--rate", metavar="N", type=float, default=0.0, help="requests a minute at most (default: no limit)"
    )
    parser.add_argument("--attempts", metavar="N", type=positive, default=5, help="tries for a text (default: 5)")
    parser.add_argument(
        "--price",
        metavar=("SENT", "RECEIVED"),
        nargs=2,
        type=float,
        default=(0.0, 0.0),
        help="of a million tokens each",
    )
    parser.add_argument(
        "--cache", metavar="DIR", type=Path, help="where answers are kept (default: in the cache folder)"
    )
    parser.add_argument("--estimate", action="store_true", help="only say what it would cost")
    parser.add_argument("--yes", action="store_true", help="begin without asking")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Estimate, ask for consent, explain, store."""
    if args.own:
        return _own(args)
    if args.endpoint is None or args.model is None:
        raise InputError("give --endpoint URL and --model NAME, or --own to use the index's own explanations")
    from rimshot.index.endpoint import Endpoint
    from rimshot.index.explained import augment_index, estimate
    from rimshot.lexicon.store import cache_folder

    key = os.environ.get(args.key, "")
    endpoint = Endpoint(args.endpoint, args.model, key, args.rate, args.attempts)
    cache = args.cache or cache_folder() / "explained"
    cost = estimate(args.index, args.model, args.endpoint, cache, tuple(args.price))
    minutes = f", at least {cost.missing / args.rate:.0f} minutes" if args.rate > 0 else ""
    price = f", about {cost.price:.2f} at the prices given" if any(args.price) else ""
    told = (
        f"{cost.missing:,} of {cost.texts:,} texts to explain by {args.model} at {args.endpoint}: about {cost.sent:,} tokens "
        f"sent and {cost.received:,} received{price}{minutes}"
    )
    facts: dict[str, object] = {
        "index": str(args.index),
        "texts": cost.texts,
        "missing": cost.missing,
        "tokens_sent": cost.sent,
        "tokens_received": cost.received,
        "price": round(cost.price, 4),
    }
    if args.estimate:
        if args.json:
            print_json(facts)
        else:
            console().print(told, markup=False, soft_wrap=True)
        return 0
    if cost.missing and not args.yes:
        console(errors=True).print(told, markup=False, soft_wrap=True)
        _consent()
    with progress("explaining texts", cost.texts) as tell:
        asked = augment_index(args.index, endpoint, cache, progress=tell)
    if args.json:
        print_json({**facts, "asked": asked})
    else:
        text = f"{args.index}: {cost.texts:,} texts explained, {asked:,} of them now; search them with Nearest()"
        console().print(text, markup=False, soft_wrap=True)
    return 0


def _own(args: argparse.Namespace) -> int:
    from rimshot.index.explained import augment_by_own

    explained = augment_by_own(args.index)
    if args.json:
        print_json({"index": str(args.index), "explained": explained})
    else:
        text = f"{args.index}: {explained:,} texts with explanations of its own; search them with Nearest()"
        console().print(text, markup=False, soft_wrap=True)
    return 0


def _consent() -> None:
    if not sys.stdin.isatty():
        raise InputError("nobody is there to agree to the cost; give --yes, or --estimate to see it only")
    sys.stderr.write("Begin? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes", "s", "sim"):
        raise InputError("not begun")
