"""Ends this program when the program that started it has ended, however that ended."""

import os
import signal
import sys
import threading


def end_with_parent() -> None:
    """Kills this program at the end of its standard input, a pipe that the parent keeps open."""

    def watch() -> None:
        sys.stdin.buffer.read()
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()
