
# --- Lab Manager: the user of its service, which is there but not enabled ---
if [ "$1" = configure ]; then
  if ! getent passwd lab-manager >/dev/null; then
    useradd --system --user-group --home-dir /var/lib/lab-manager --no-create-home \
      --shell /usr/sbin/nologin --comment 'Lab Manager service' lab-manager
  fi
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload || true
    systemctl try-restart lab-manager.service || true
  fi
fi
