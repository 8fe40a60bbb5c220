"""A real S3 server for tests, on 127.0.0.1, in this process."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import boto3
import pytest
from moto.server import ThreadedMotoServer


@contextmanager
def running_bucket(name: str) -> Iterator[tuple[str, object]]:
    """Yields the address of a new bucket, as FREM_FILES wants it, and a client to look into it."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    variables = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    with pytest.MonkeyPatch.context() as patch:
        for variable, value in variables.items():
            patch.setenv(variable, value)
        client = boto3.client("s3")
        client.create_bucket(Bucket=name)
        try:
            yield f"s3://{name}/runs", client
        finally:
            server.stop()
