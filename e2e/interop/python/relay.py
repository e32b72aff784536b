"""MADSci's clients of the managers, at the managers themselves and through the lab manager's relay."""

import asyncio
import os
import queue
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from httpx import HTTPStatusError

# The timeout of a request that a client sends in a separate thread.
TIMEOUT_S = 20.0


class Event:
    """Events, which the client sends without reporting a refusal."""

    def connect(self, url: str) -> Any:
        from madsci.client.event_client import EventClient

        return EventClient(event_server_url=url)

    def write(self, client: Any, name: str) -> str:
        from madsci.common.types.event_types import Event

        sent: queue.Queue[Any] = queue.Queue()
        hooks = client.session.event_hooks
        client.session.event_hooks = {**hooks, "response": [*hooks["response"], sent.put]}
        event = Event(event_data={"message": name})
        client.log(event)
        sent.get(timeout=TIMEOUT_S).raise_for_status()
        return event.event_id

    def read(self, client: Any, identifier: str) -> str:
        return client.get_event(identifier).event_data["message"]

    async def read_async(self, client: Any, identifier: str) -> str:
        return (await client.async_get_event(identifier)).event_data["message"]


class Experiment:
    def connect(self, url: str) -> Any:
        from madsci.client.experiment_client import ExperimentClient

        return ExperimentClient(url)

    def write(self, client: Any, name: str) -> str:
        from madsci.common.types.experiment_types import ExperimentDesign

        return client.start_experiment(ExperimentDesign(experiment_name="Titration"), run_name=name).experiment_id

    def read(self, client: Any, identifier: str) -> str:
        return client.get_experiment(identifier).run_name

    async def read_async(self, client: Any, identifier: str) -> str:
        return (await client.async_get_experiment(identifier)).run_name


class Resource:
    def connect(self, url: str) -> Any:
        from madsci.client.resource_client import ResourceClient

        return ResourceClient(url)

    def write(self, client: Any, name: str) -> str:
        from madsci.common.types.resource_types import Asset

        return client.add_resource(Asset(resource_name=name)).resource_id

    def read(self, client: Any, identifier: str) -> str:
        return client.get_resource(identifier).resource_name

    async def read_async(self, client: Any, identifier: str) -> str:
        return (await client.async_get_resource(identifier)).resource_name


class Data:
    """Files, which are sent as forms and read as downloads."""

    def connect(self, url: str) -> Any:
        from madsci.client.data_client import DataClient

        return DataClient(url)

    def write(self, client: Any, name: str) -> str:
        from madsci.common.types.datapoint_types import FileDataPoint

        file = Path("written.txt")
        file.write_text(name)
        return client.submit_datapoint(FileDataPoint(label=name, path=file)).datapoint_id

    def read(self, client: Any, identifier: str) -> str:
        file = Path("read.txt")
        client.save_datapoint_value(identifier, file)
        return file.read_text()

    async def read_async(self, client: Any, identifier: str) -> str:
        return (await client.async_get_datapoint(identifier)).label


class Workcell:
    def connect(self, url: str) -> Any:
        from madsci.client.workcell_client import WorkcellClient

        return WorkcellClient(url)

    def write(self, client: Any, name: str) -> str:
        from madsci.common.types.workflow_types import WorkflowDefinition

        return client.start_workflow(WorkflowDefinition(name=name), await_completion=False).workflow_id

    def read(self, client: Any, identifier: str) -> str:
        return client.query_workflow(identifier).name

    async def read_async(self, client: Any, identifier: str) -> str:
        return (await client.async_query_workflow(identifier)).name


class Location:
    def connect(self, url: str) -> Any:
        from madsci.client.location_client import LocationClient

        return LocationClient(url)

    def write(self, client: Any, name: str) -> str:
        from madsci.common.types.location_types import Location

        return client.add_location(Location(location_name=name)).location_name

    def read(self, client: Any, identifier: str) -> str:
        return client.get_location_by_name(identifier).location_name

    async def read_async(self, client: Any, identifier: str) -> str:
        return (await client.async_get_location_by_name(identifier)).location_name


KINDS = {
    "event": Event(),
    "experiment": Experiment(),
    "resource": Resource(),
    "data": Data(),
    "workcell": Workcell(),
    "location": Location(),
}


def attempt(call: Callable[[], Any]) -> Any:
    """Returns the result of the call, or the status of the response with which it failed."""
    try:
        return call()
    except HTTPStatusError as error:
        return error.response.status_code


def use_manager(key: str, direct_url: str, snippets: dict[str, str]) -> dict[str, Any]:
    """Reads a directly written object with every role, and directly reads an object written through the relay."""
    kind = KINDS[key]
    direct = kind.connect(direct_url)
    guides: dict[str, dict[str, Any]] = {}
    for role, snippet in snippets.items():
        guides[role] = {}
        exec(snippet, guides[role])  # noqa: S102  # The example of the user guide.
    url = f"{guides['operator']['lab']}/{key}/"
    operator, viewer = (guides[role]["with_token"](kind.connect(url)) for role in ("operator", "viewer"))
    stranger = kind.connect(url)
    known = kind.write(direct, f"{key}_directly")
    return {
        "read": attempt(lambda: kind.read(operator, known)),
        "read_async": attempt(lambda: asyncio.run(kind.read_async(operator, known))),
        "written": kind.read(direct, kind.write(operator, f"{key}_relayed")),
        "viewer": [
            attempt(lambda: kind.read(viewer, known)),
            attempt(lambda: kind.write(viewer, f"{key}_refused")),
        ],
        "stranger": [
            attempt(lambda: kind.read(stranger, known)),
            attempt(lambda: kind.write(stranger, f"{key}_refused")),
        ],
    }


def use_relay(case: dict[str, Any]) -> dict[str, Any]:
    """Uses every client, in a temporary folder for the logs that they write."""
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        Path(".madsci").mkdir()
        return {key: use_manager(key, url, case["snippets"]) for key, url in case["managers"].items()}
