#!/bin/sh
# lab-manager: the desktop app where there is a display, else the same service without a window.
# The package's desktop entry starts this file, and /usr/bin/lab-manager is a link to it.
home=$(dirname "$(readlink -f "$0")")
program=$home/lab-manager

headless=no
mode=--headless
for argument in "$@"; do
  if [ "$argument" = --quit ]; then headless=yes mode=''; fi
  case ${argument%%=*} in
    --headless | --help | -h | --version | --check-settings | --doctor | --bundle | --status | --safety-stop | --ping | \
      --maintenance | --notify-test | --user | --token) headless=yes ;;
  esac
done
if [ "$headless" = no ] && [ -z "$DISPLAY" ] && [ -z "$WAYLAND_DISPLAY" ]; then
  echo 'There is no display here (DISPLAY and WAYLAND_DISPLAY are not set): running the service without the window.' >&2
  headless=yes
fi

# Without a window the runtime needs no screen, no graphics and no sandbox, because it opens no page. With the sandbox, the
# service could not start where the kernel has no user namespaces and systemd sets no_new_privs. Without crash reports, zygotes
# and the graphics process it uses a seventh less memory. electron/start/headless.ts removes these switches again.
if [ "$headless" = yes ]; then
  set -- --no-sandbox --no-zygote --in-process-gpu --ozone-platform=headless --disable-gpu --log-level=3 $mode "$@"
  exec "$program" "$@"
fi

. "$home/sandbox.sh"
. "$home/dialogs.sh"

# Succeeds unless DISPLAY names a local X server that does not run. Its socket is a file, or has only a name.
has_x_server() {
  case $DISPLAY in
    :*) ;;
    *) return 0 ;;
  esac
  number=${DISPLAY#:}
  socket=/tmp/.X11-unix/X${number%%.*}
  [ -S "$socket" ] || grep -qs "@$socket\$" /proc/net/unix
}

# The runtime chooses X11 by default, and crashes without an X server.
if [ -n "$DISPLAY" ] && ! has_x_server; then
  if [ -z "$WAYLAND_DISPLAY" ]; then
    show_error "There is no X server at DISPLAY=$DISPLAY, so Lab Manager can't open its window.

Start it in a desktop session, or run the service without the window: lab-manager --headless"
    exit 1
  fi
  DISPLAY=''
fi
if [ -z "$DISPLAY" ]; then set -- --ozone-platform=wayland "$@"; fi

# Chromium refuses to start its sandbox as root; only root opens a window without it.
if [ "$(id -u)" = 0 ]; then
  prepare_helper "$home" || true
  exec "$program" --no-sandbox "$@"
fi

reason="This system does not permit user namespaces, which the sandbox of Lab Manager's window needs."
if [ "$(find_sandbox "$home")" = none ]; then
  helper=$home/chrome-sandbox
  # The click makes a file set-uid root only if root alone can replace it.
  if [ "$(stat -c %u "$helper")" = 0 ] && [ ! -u "$helper" ] && [ ! -w "$home" ] && command -v pkexec >/dev/null; then
    confirm "$reason

Repair: an administrator permits the sandbox's own helper ($helper) instead. This is needed once." Repair &&
      pkexec chmod 4755 "$helper"
  fi
  if [ "$(find_sandbox "$home")" = none ]; then
    if [ -u "$helper" ]; then
      show_error "$reason Its helper $helper is prepared, but this session does not let programs gain rights (no new privileges, or a nosuid mount).

Start Lab Manager from an ordinary session, or run the service without the window: lab-manager --headless"
    else
      show_error "$reason

Run this command as an administrator, then start Lab Manager again:

$(helper_command "$home")

Without the window it runs already: lab-manager --headless"
    fi
    exit 1
  fi
fi

# In a terminal, errors are already on the screen.
if [ -t 2 ]; then exec "$program" "$@"; fi

# Started from an icon, the launcher waits to report a failed start, and forwards the signals of the end of the session.
started=$(date +%s)
"$program" "$@" &
child=$!
trap 'kill -TERM "$child" 2>/dev/null' TERM INT HUP
wait "$child"
code=$?
# A trapped signal interrupts the first wait.
while kill -0 "$child" 2>/dev/null; do
  wait "$child"
  code=$?
done
case $code in
  2) show_error "Lab Manager was started with an option that it does not know: $*

The options: lab-manager --help" ;;
  # 126, 127: the program cannot be executed. Above 128: a signal ended it; a user or the end of a session sends these
  # four.
  129 | 130 | 137 | 143) ;;
  12[67] | 1[3-9][0-9])
    if [ $(($(date +%s) - started)) -lt 30 ]; then
      show_error "Lab Manager could not start (exit code $code).

Its log is in ${XDG_CONFIG_HOME:-$HOME/.config}/lab-manager/logs. To see the reason, start it in a terminal: lab-manager"
    fi
    ;;
esac
exit "$code"
