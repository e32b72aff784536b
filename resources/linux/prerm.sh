#!/bin/sh
set -e
# dpkg passes "remove", rpm the number of remaining versions.
if { [ "$1" = remove ] || [ "$1" = 0 ]; } && [ -d /run/systemd/system ]; then
  systemctl disable --now lab-manager.service || true
fi
