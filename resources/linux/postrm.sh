
# --- Lab Manager: its service and, on purge, what the service left; nobody's home directory is touched ---
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
if [ "$1" = purge ]; then
  rm -rf /var/lib/lab-manager
  if getent passwd lab-manager >/dev/null; then
    userdel lab-manager || true
  fi
fi
exit 0
