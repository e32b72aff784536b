"""Ends this program with the one that started it, however that one ended."""

import os
import signal
import sys
import threading


def end_with_parent() -> None:
    """Standard input is a pipe that the parent holds open: its end is the parent's end."""

    def watch() -> None:
        sys.stdin.buffer.read()
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()
