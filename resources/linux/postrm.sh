
# --- Lab Manager: its service and, on purge, the state of the service; home directories are not changed ---
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
# The packages with and without a window share the state of the service: it remains while one of them is installed.
if [ "$1" = purge ] && [ ! -e /usr/bin/lab-manager ]; then
  rm -f /etc/systemd/system/multi-user.target.wants/lab-manager.service
  rm -rf /var/lib/lab-manager
  if getent passwd lab-manager >/dev/null; then
    userdel lab-manager || true
  fi
fi
exit 0
