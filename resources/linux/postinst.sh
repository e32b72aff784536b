
# --- Lab Manager: the user of its service, which is installed but not enabled ---
# dpkg passes "configure", rpm the number of installed versions.
case "$1" in configure | [0-9]*)
  if ! getent passwd lab-manager >/dev/null; then
    useradd --system --user-group --home-dir /var/lib/lab-manager --no-create-home \
      --shell /usr/sbin/nologin --comment 'Lab Manager service' lab-manager
  fi
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload || true
    # The package that this one replaces has stopped the service.
    if [ "$1" = configure ] && systemctl is-enabled --quiet lab-manager.service; then
      systemctl restart lab-manager.service || true
    else
      systemctl try-restart lab-manager.service || true
    fi
  fi
  ;;
esac
