"""MADSci's own clients of a lab manager: `clients.py lab URL`; `settings` and `relay` read their input as JSON."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any


def read_lab(url: str) -> dict[str, Any]:
    """Returns the results of all of `LabClient`'s calls, synchronous and asynchronous."""
    from madsci.client.lab_client import LabClient

    client = LabClient(lab_server_url=url)

    async def read_async() -> list[Any]:
        return [
            await client.async_get_lab_context(),
            await client.async_get_manager_health(),
            await client.async_get_lab_health(),
        ]

    context, health, lab_health = (
        client.get_lab_context(),
        client.get_manager_health(),
        client.get_lab_health(),
    )
    return {
        "context": context.model_dump(mode="json"),
        "health": health.model_dump(mode="json"),
        "lab_health": lab_health.model_dump(mode="json"),
        "async": [response.model_dump(mode="json") for response in asyncio.run(read_async())],
    }


def read_settings(case: dict[str, Any]) -> dict[str, Any]:
    """Returns the settings as the real lab manager reads them with the case's folder, environment and arguments."""
    from madsci.common.types.context_types import MadsciContext
    from madsci.common.types.lab_types import LabManagerSettings

    os.environ.clear()
    os.environ.update(case["env"])
    os.chdir(case["cwd"])
    sys.argv = ["lab", *case["argv"]]
    try:
        settings = LabManagerSettings().model_dump(mode="json")
        context = MadsciContext().model_dump(mode="json")
    except (Exception, SystemExit) as error:  # Any refusal to start counts as one.
        return {"ok": False, "reason": f"{type(error).__name__}: {error}"}
    return {"ok": True, "settings": settings, "context": context}


def main() -> None:
    """Writes one JSON value to standard output; all other output goes to standard error."""
    mode, *rest = sys.argv[1:]
    sys.argv = sys.argv[:1]
    out = sys.stdout
    sys.stdout = sys.stderr
    here = Path.cwd()
    if mode == "lab":
        result = read_lab(rest[0])
    elif mode == "settings":
        result = [read_settings(case) for case in json.load(sys.stdin)]
    else:
        from relay import use_relay

        result = use_relay(json.load(sys.stdin))
    os.chdir(here)
    json.dump(result, out)


if __name__ == "__main__":
    main()
