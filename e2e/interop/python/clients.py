"""MADSci's own clients of a lab manager: `clients.py lab URL`; `settings` and `relay` read their input as JSON."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any


def ask_lab(url: str) -> dict[str, Any]:
    """Everything that `LabClient` can ask, in both its ways."""
    from madsci.client.lab_client import LabClient

    client = LabClient(lab_server_url=url)

    async def ask_async() -> list[Any]:
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
        "async": [answer.model_dump(mode="json") for answer in asyncio.run(ask_async())],
    }


def read_settings(case: dict[str, Any]) -> dict[str, Any]:
    """The settings as the real lab manager reads them at `case`'s folder, environment and arguments."""
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
    """One JSON value on standard output; whatever else is said goes to standard error."""
    mode, *rest = sys.argv[1:]
    sys.argv = sys.argv[:1]
    out = sys.stdout
    sys.stdout = sys.stderr
    here = Path.cwd()
    if mode == "lab":
        answer = ask_lab(rest[0])
    elif mode == "settings":
        answer = [read_settings(case) for case in json.load(sys.stdin)]
    else:
        from relay import use_relay

        answer = use_relay(json.load(sys.stdin))
    os.chdir(here)
    json.dump(answer, out)


if __name__ == "__main__":
    main()
