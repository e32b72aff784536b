
# --- Lab Manager: its service and, on purge, what the service left; nobody's home directory is touched ---
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
# The package with and the one without a window share what the service left: the one that stays keeps it.
if [ "$1" = purge ] && [ ! -e /usr/bin/lab-manager ]; then
  rm -rf /var/lib/lab-manager
  if getent passwd lab-manager >/dev/null; then
    userdel lab-manager || true
  fi
fi
exit 0
