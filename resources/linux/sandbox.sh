# Determines which sandbox Chromium can use on this machine. Sourced by launcher.sh, and by build/setup/sandbox.mjs for a clone.

# Prefix that runs a command as an unprivileged user, for probes by root.
as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'

# Probes the namespaces that Chromium creates: /proc/sys shows only some of the mechanisms that refuse them.
# $@: prefix of the command
has_namespaces() {
  "$@" unshare --user --map-root-user --pid --net --fork true 2>/dev/null
}

# AppArmor can permit namespaces to the program's profile (named like the program) and refuse them to unshare.
# $1: name of the profile
has_namespaces_by_profile() {
  (echo "exec $1" >/proc/self/attr/exec && exec unshare --user --map-root-user --pid --net --fork true) 2>/dev/null
}

# Probes the set-uid helper, which fails in sessions with no_new_privs and on nosuid mounts.
# $1: path of the helper; the rest: prefix of the command
helper_works() {
  helper=$1
  shift
  [ -u "$helper" ] && [ "$(stat -Lc %u "$helper")" = 0 ] || return 1
  case $("$@" "$helper" /bin/true 2>&1) in
    *'not running as root'* | *'Failed to move'* | *'ermission denied'*) return 1 ;;
  esac
}

# Prints namespaces, helper or none.
# $1: directory of the runtime; the rest: prefix of the command
find_sandbox() {
  directory=$1
  shift
  if has_namespaces "$@" || has_namespaces_by_profile lab-manager; then
    echo namespaces
  elif helper_works "$directory/chrome-sandbox" "$@"; then
    echo helper
  else
    echo none
  fi
}

# As root: installs the helper for all users where unprivileged users cannot create namespaces.
# $1: directory of the runtime
prepare_helper() {
  [ "$(find_sandbox "$1" $as_nobody)" != none ] ||
    { chown root:root "$1/chrome-sandbox" && chmod 4755 "$1/chrome-sandbox"; }
}

# The command for an administrator.
# $1: directory of the runtime
helper_command() {
  echo "sudo chown root:root '$1/chrome-sandbox' && sudo chmod 4755 '$1/chrome-sandbox'"
}
