"""The REST service against its own description, by Schemathesis."""

import json

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import checks

from rimshot.serve.limits import Limits
from rimshot.serve.openapi import describe
from rimshot.serve.operations import operations
from rimshot.serve.schemas import EXAMPLES, SCHEMAS

DESCRIPTION = describe(Limits())
schema = schemathesis.openapi.from_dict(DESCRIPTION)


@pytest.fixture(scope="module")
def root(service):
    return f"{service.url}/api/v1"


@schema.parametrize()
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_every_operation_keeps_to_the_description(case, root):
    # A pipeline that the description lets through may still mean nothing: that is a 400 in words, not a broken promise.
    # This index has no vectors, and models may be absent: 501 and 503 are described, 500 is a bug.
    unwanted = [checks.positive_data_acceptance, checks.unsupported_method, checks.not_a_server_error]
    answer = case.call_and_validate(base_url=root, excluded_checks=unwanted)
    assert answer.status_code < 500 or answer.status_code in (501, 503)


def test_the_description_is_served(service):
    assert service.ask("/api/v1/openapi.json").json() == json.loads(json.dumps(DESCRIPTION))


def test_examples_have_the_shapes_that_they_illustrate():
    import jsonschema_rs

    for name, example in EXAMPLES.items():
        shape = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}}
        jsonschema_rs.validate(shape, example)


def test_all_schemas_are_used_and_all_operations_have_one():
    named = {operation.schema for operation in operations(Limits())}
    assert named <= set(SCHEMAS)
    written = json.dumps(DESCRIPTION)
    for name in SCHEMAS:
        assert f"#/components/schemas/{name}" in written
