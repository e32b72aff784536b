# Shows messages of a start without a terminal with the tools of the desktop, and always prints them to standard error.

title='Lab Manager'

# $1: text
show_error() {
  echo "$1" >&2
  # A closed dialog counts as an answer; the next tool is used only if this one is missing or fails to open a window.
  ZENITY_ESC=0 zenity --error --no-markup --width 520 --title "$title" --text "$1" 2>/dev/null ||
    kdialog --title "$title" --error "$1" 2>/dev/null ||
    xmessage -center -title "$title" -buttons OK:0 "$(echo "$1" | fold -s -w 90)" 2>/dev/null ||
    notify-send --urgency critical --app-name "$title" --icon lab-manager "$title could not start" "$1" 2>/dev/null ||
    gdbus call --session --dest org.freedesktop.Notifications --object-path /org/freedesktop/Notifications \
      --method org.freedesktop.Notifications.Notify \
      "$title" 0 lab-manager "$title could not start" "$1" '[]' '{"urgency": <byte 2>}' 0 >/dev/null 2>&1 ||
    true
}

# Succeeds if the user confirms. Without a tool for confirmations, the password prompt that follows is the confirmation.
# $1: text  $2: label of the button
confirm() {
  if command -v zenity >/dev/null; then
    zenity --question --no-markup --width 520 --title "$title" --text "$1" --ok-label "$2" --cancel-label Cancel 2>/dev/null
  elif command -v kdialog >/dev/null; then
    kdialog --title "$title" --yes-label "$2" --no-label Cancel --yesno "$1" 2>/dev/null
  elif command -v xmessage >/dev/null; then
    xmessage -center -title "$title" -buttons "$2:0,Cancel:1" "$(echo "$1" | fold -s -w 90)" 2>/dev/null
  fi
}
