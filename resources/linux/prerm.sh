#!/bin/sh
set -e
# dpkg passes "remove", also when the other package replaces this one: the service remains enabled until the purge. rpm
# passes the number of remaining versions.
if [ -d /run/systemd/system ]; then
  case "$1" in
    remove) systemctl stop lab-manager.service || true ;;
    0) systemctl disable --now lab-manager.service || true ;;
  esac
fi
