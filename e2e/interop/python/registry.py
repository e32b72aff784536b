"""MADSci's own ID registry, by lists on standard input: resolve PATH NAME, export PATH, hold PATH, release PATH."""

import json
import sys
from pathlib import Path

from madsci.common.registry.local_registry import LocalRegistryManager
from madsci.common.registry.lock_manager import RegistryLockError


def main() -> None:
    """Answers each line with a line of JSON; ends with standard input, and releases what it holds."""
    held: list[tuple[LocalRegistryManager, str]] = []
    locked: list[LocalRegistryManager] = []
    for line in sys.stdin:
        command, path, *rest = json.loads(line)
        registry = LocalRegistryManager(registry_path=Path(path))
        if command == "export":
            answer = registry.export()
        elif command == "resolve":
            try:
                answer = {"id": registry.resolve(rest[0], "manager", metadata={"manager_class": "Test"})}
                held.append((registry, rest[0]))
            except RegistryLockError as error:
                answer = {"locked": str(error)}
        elif command == "hold":
            registry._file_lock.acquire(timeout=5)
            locked.append(registry)
            answer = {}
        else:
            while locked:
                locked.pop()._file_lock.release()
            while held:
                manager, name = held.pop()
                manager.release(name)
            answer = {}
        print(json.dumps(answer), flush=True)
    for manager, name in held:
        manager.release(name)


if __name__ == "__main__":
    main()
