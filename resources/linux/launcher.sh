#!/bin/sh
# lab-manager: the desktop app where there is a display, else the same service without a window.
# The package links /usr/bin/lab-manager to this file.
program=$(dirname "$(readlink -f "$0")")/lab-manager

headless=no
for argument in "$@"; do
  case $argument in
    --headless | --help | -h | --version | --check-settings | --doctor | --bundle | --bundle=* | --status) headless=yes ;;
  esac
done
if [ "$headless" = no ] && [ -z "$DISPLAY" ] && [ -z "$WAYLAND_DISPLAY" ]; then
  echo 'There is no display here (DISPLAY and WAYLAND_DISPLAY are not set): running the service without the window.' >&2
  headless=yes
fi

# Without a window the runtime needs no screen, no graphics, and no sandbox: that is for pages, and no page is ever opened.
# With it the service could not start where the kernel has no user namespaces and systemd lets nobody gain rights.
# Nor has it anything of its own to report, and it forks and draws no page: without the processes for that (two zygotes, one
# for graphics) it needs a seventh less memory. electron/start/headless.ts knows these switches.
if [ "$headless" = yes ]; then
  set -- --no-sandbox --no-zygote --in-process-gpu --ozone-platform=headless --disable-gpu --log-level=3 --headless "$@"
# Chromium refuses to start its sandbox as root; nobody but root opens a window without it.
elif [ "$(id -u)" = 0 ]; then
  set -- --no-sandbox "$@"
fi
exec "$program" "$@"
