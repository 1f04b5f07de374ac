import pytest
from tests.serve.served import build, serving


@pytest.fixture(scope="session")
def jokes(tmp_path_factory):
    return build(tmp_path_factory.mktemp("served") / "index")


@pytest.fixture(scope="session")
def service(jokes):
    with serving(jokes) as address:
        yield address
