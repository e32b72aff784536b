"""Runs one real MADSci manager with its stores in memory: `manager.py NAME`, on the port of its `NAME_SERVER_URL`."""

import os
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from madsci.common.db_handlers.cache_handler import InMemoryCacheHandler
from madsci.common.db_handlers.document_storage_handler import InMemoryDocumentStorageHandler
from madsci.common.db_handlers.postgres_handler import SQLiteHandler
from parent import end_with_parent


def event() -> Any:
    """The event manager."""
    from madsci.event_manager.event_server import EventManager

    return EventManager(document_handler=InMemoryDocumentStorageHandler())


def experiment() -> Any:
    """The experiment manager."""
    from madsci.experiment_manager.experiment_server import ExperimentManager

    return ExperimentManager(document_handler=InMemoryDocumentStorageHandler())


def resource() -> Any:
    """The resource manager, on SQLite in memory."""
    from madsci.resource_manager.resource_interface import ResourceInterface
    from madsci.resource_manager.resource_server import ResourceManager

    return ResourceManager(resource_interface=ResourceInterface(postgres_handler=SQLiteHandler()))


def data() -> Any:
    """The data manager, on files: an object store would turn every file into an object of it."""
    from madsci.data_manager.data_server import DataManager

    return DataManager(document_handler=InMemoryDocumentStorageHandler())


def workcell() -> Any:
    """The workcell manager with its scheduler."""
    from madsci.workcell_manager.workcell_server import WorkcellManager

    return WorkcellManager(
        cache_handler=InMemoryCacheHandler(),
        document_handler=InMemoryDocumentStorageHandler(),
        start_engine=True,
    )


def location() -> Any:
    """The location manager."""
    from madsci.location_manager.location_server import LocationManager

    return LocationManager(cache_handler=InMemoryCacheHandler(), document_handler=InMemoryDocumentStorageHandler())


MANAGERS: dict[str, Callable[[], Any]] = {
    "event": event,
    "experiment": experiment,
    "resource": resource,
    "data": data,
    "workcell": workcell,
    "location": location,
}


def main() -> None:
    """Serves until it is ended."""
    end_with_parent()
    name = sys.argv.pop(1)  # Before any settings class reads the arguments.
    port = urlsplit(os.environ[f"{name.upper()}_SERVER_URL"]).port
    if port is None:
        raise SystemExit(f"{name.upper()}_SERVER_URL has no port")
    uvicorn.run(MANAGERS[name]().create_server(), host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main()
