; A program in place of the app or of netsh.exe. It appends its command line to LOG. As the app it runs until it is started
; with --quit, unless C:\ignore-quit exists.
Unicode true
Target amd64-unicode
SilentInstall silent
RequestExecutionLevel user
Name "Recorder"
OutFile "${OUT_FILE}"
!include LogicLib.nsh
!include FileFunc.nsh

!macro log TEXT
  FileOpen $0 "${LOG}" a
  FileSeek $0 0 END
  FileWrite $0 `${TEXT}$\r$\n`
  FileClose $0
!macroend

Section
  ${GetParameters} $1
  !insertmacro log "$1"
  !ifdef IS_APP
    ${If} $1 == "--quit"
      FileOpen $0 "$EXEDIR\quit" w
      FileClose $0
    ${Else}
      ${Do}
        Sleep 100
        ${If} ${FileExists} "$EXEDIR\quit"
        ${AndIfNot} ${FileExists} "C:\ignore-quit"
          !insertmacro log "ended"
          ${Break}
        ${EndIf}
      ${Loop}
    ${EndIf}
  !endif
SectionEnd
