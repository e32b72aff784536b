"""Runs commands of MADSci's own ID registry, which are JSON lists on standard input, one per line.

The commands: resolve PATH NAME, export PATH, hold PATH, release PATH.
"""

import json
import sys
from pathlib import Path

from madsci.common.registry.local_registry import LocalRegistryManager
from madsci.common.registry.lock_manager import RegistryLockError


def main() -> None:
    """Prints a line of JSON for each command; at the end of standard input, releases its IDs and ends."""
    held: list[tuple[LocalRegistryManager, str]] = []
    locked: list[LocalRegistryManager] = []
    for line in sys.stdin:
        command, path, *rest = json.loads(line)
        registry = LocalRegistryManager(registry_path=Path(path))
        if command == "export":
            result = registry.export()
        elif command == "resolve":
            try:
                result = {"id": registry.resolve(rest[0], "manager", metadata={"manager_class": "Test"})}
                held.append((registry, rest[0]))
            except RegistryLockError as error:
                result = {"locked": str(error)}
        elif command == "hold":
            registry._file_lock.acquire(timeout=5)
            locked.append(registry)
            result = {}
        else:
            while locked:
                locked.pop()._file_lock.release()
            while held:
                manager, name = held.pop()
                manager.release(name)
            result = {}
        print(json.dumps(result), flush=True)
    for manager, name in held:
        manager.release(name)


if __name__ == "__main__":
    main()
