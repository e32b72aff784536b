"""Runs one real MADSci manager with its stores in memory: `manager.py NAME`, on the port of its `NAME_SERVER_URL`."""

import os
import sys
from importlib.metadata import version
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from parent import end_with_parent

# The workcell and location managers also run with MADSci 0.7, where the same stores have other names.
OLD = version("madsci.common").startswith("0.7.")


def cache() -> Any:
    """A cache in memory."""
    if OLD:
        from madsci.common.db_handlers import InMemoryRedisHandler

        return InMemoryRedisHandler()
    from madsci.common.db_handlers.cache_handler import InMemoryCacheHandler

    return InMemoryCacheHandler()


def documents() -> Any:
    """A document store in memory."""
    if OLD:
        from madsci.common.db_handlers import InMemoryMongoHandler

        return InMemoryMongoHandler()
    from madsci.common.db_handlers.document_storage_handler import InMemoryDocumentStorageHandler

    return InMemoryDocumentStorageHandler()


def event() -> Any:
    """The event manager."""
    from madsci.event_manager.event_server import EventManager

    return EventManager(document_handler=documents())


def experiment() -> Any:
    """The experiment manager."""
    from madsci.experiment_manager.experiment_server import ExperimentManager

    return ExperimentManager(document_handler=documents())


def resource() -> Any:
    """The resource manager, on SQLite in memory."""
    from madsci.common.db_handlers.postgres_handler import SQLiteHandler
    from madsci.resource_manager.resource_interface import ResourceInterface
    from madsci.resource_manager.resource_server import ResourceManager

    return ResourceManager(resource_interface=ResourceInterface(postgres_handler=SQLiteHandler()))


def data() -> Any:
    """The data manager, which stores files: an object store would convert each of them to an object."""
    from madsci.data_manager.data_server import DataManager

    return DataManager(document_handler=documents())


def workcell() -> Any:
    """The workcell manager with its scheduler."""
    from madsci.workcell_manager.workcell_server import WorkcellManager

    if OLD:
        return WorkcellManager(redis_handler=cache(), mongo_handler=documents(), start_engine=True)
    return WorkcellManager(cache_handler=cache(), document_handler=documents(), start_engine=True)


def location() -> Any:
    """The location manager."""
    from madsci.location_manager.location_server import LocationManager

    if OLD:
        return LocationManager(redis_handler=cache())
    return LocationManager(cache_handler=cache(), document_handler=documents())


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
