#!/bin/sh
# The system's Chromium without what it builds into each window for its own address field: pages that no test sees, which
# cost as much as ours do. Of several --disable-features it takes the last alone, so ours join those that Playwright gives.
for argument; do
  shift
  case $argument in
    --disable-features=*) argument="$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup" ;;
  esac
  set -- "$@" "$argument"
done
exec "${CHROMIUM:-/usr/bin/chromium}" "$@"
