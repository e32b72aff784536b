; Macros for everything that the installers do besides copying files: for installer.nsi, and for electron-builder's script,
; which inserts the macros whose names begin with custom. The header of names.mjs is included before this file. Both scripts
; define $installMode ("all" or "CurrentUser"), APP_EXECUTABLE_FILENAME, UNINSTALL_FILENAME, and the tests isUpdated and
; isDeleteAppData.
!include LogicLib.nsh

!define loginItems "Software\Microsoft\Windows\CurrentVersion\Run"
!define loginItemStates "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"

; Access rights of OpenProcess.
!define processTerminate 0x0001
!define processQuery 0x1000

; RESULT: 1 if a program of the installation folder other than the uninstaller runs. END=1 terminates these programs.
!macro findPrograms END RESULT
  System::Store S
  StrCpy $0 0
  System::Alloc 16384
  Pop $1
  System::Call 'psapi::EnumProcesses(p r1, i 16384, *i .r2) i'
  IntOp $2 $2 / 4
  ${While} $2 > 0
    IntOp $2 $2 - 1
    IntOp $3 $2 * 4
    IntPtrOp $3 $1 + $3
    System::Call '*$3(i .r3)'
    System::Call 'kernel32::OpenProcess(i ${processQuery}|${processTerminate}, i 0, i r3) p .r4'
    ${If} $4 P= 0
      ; A program of another user can be visible without permission to terminate it.
      System::Call 'kernel32::OpenProcess(i ${processQuery}, i 0, i r3) p .r4'
    ${EndIf}
    ${If} $4 P<> 0
      StrCpy $5 ""
      System::Call 'kernel32::QueryFullProcessImageNameW(p r4, i 0, w .r5, *i ${NSIS_MAX_STRLEN})'
      StrLen $6 "$INSTDIR\"
      StrCpy $6 $5 $6
      ${If} $6 == "$INSTDIR\"
      ${AndIf} $5 != "$INSTDIR\${UNINSTALL_FILENAME}"
        StrCpy $0 1
        !if ${END} = 1
          System::Call 'kernel32::TerminateProcess(p r4, i 1)'
        !endif
      ${EndIf}
      System::Call 'kernel32::CloseHandle(p r4)'
    ${EndIf}
  ${EndWhile}
  System::Free $1
  Push $0
  System::Store L
  Pop ${RESULT}
!macroend

; Waits until no program of the installation folder runs, for COUNT times 250 ms. $R0: 1 if one still runs.
!macro waitForPrograms COUNT
  StrCpy $R1 ${COUNT}
  ${Do}
    !insertmacro findPrograms 0 $R0
    ${If} $R0 = 0
    ${OrIf} $R1 = 0
      ${Break}
    ${EndIf}
    IntOp $R1 $R1 - 1
    Sleep 250
  ${Loop}
!macroend

; Asks the running app to quit, and terminates it if it does not. A silent run and an update that the app started show no
; question.
!macro closeApp
  !insertmacro findPrograms 0 $R0
  ${If} $R0 = 1
    ${IfNot} ${isUpdated}
    ${AndIfNot} ${Cmd} `MessageBox MB_OKCANCEL|MB_ICONEXCLAMATION "${PRODUCT_NAME} is running. Other machines that use this lab manager get no answer while it is closed.$\r$\n$\r$\nPress OK to close it." /SD IDOK IDOK`
      SetErrorLevel ${EXIT_CANCELLED}
      Quit
    ${EndIf}
    DetailPrint "Closing ${PRODUCT_NAME}"
    Exec '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --quit'
    !insertmacro waitForPrograms 32
    ${If} $R0 = 1
      !insertmacro findPrograms 1 $R0
      !insertmacro waitForPrograms 20
    ${EndIf}
    ${If} $R0 = 1
      MessageBox MB_OK|MB_ICONSTOP "${PRODUCT_NAME} can’t be closed. Quit it in each session that uses it, then start this program again." /SD IDOK
      SetErrorLevel ${EXIT_RUNNING}
      Quit
    ${EndIf}
    ClearErrors
  ${EndIf}
!macroend

; Refuses a folder with files of other programs, because uninstalling removes the whole folder.
!macro refuseOtherFolder
  ${IfNot} ${FileExists} "$INSTDIR\${UNINSTALL_FILENAME}"
  ${AndIfNot} ${FileExists} "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
    FindFirst $R0 $R1 "$INSTDIR\*.*"
    ${Do}
      ${If} $R1 != "."
      ${AndIf} $R1 != ".."
        ${Break}
      ${EndIf}
      FindNext $R0 $R1
    ${Loop}
    FindClose $R0
    ${If} $R1 != ""
      MessageBox MB_OK|MB_ICONSTOP "$INSTDIR contains other files ($R1). Choose an empty folder, or remove the files." /SD IDOK
      SetErrorLevel ${EXIT_OTHER_FILES}
      Quit
    ${EndIf}
    ClearErrors
  ${EndIf}
!macroend

!macro customCheckAppRunning
  !insertmacro closeApp
  !ifndef BUILD_UNINSTALLER
    !insertmacro refuseOtherFolder
  !endif
!macroend

!macro deleteFirewallRule
  nsExec::Exec '"$SYSDIR\netsh.exe" advfirewall firewall delete rule name="${FIREWALL_RULE}" program="$INSTDIR\${APP_EXECUTABLE_FILENAME}"'
  Pop $R0
!macroend

!macro addFirewallRule
  ; netsh would add a second rule of the same name.
  !insertmacro deleteFirewallRule
  nsExec::ExecToLog '"$SYSDIR\netsh.exe" advfirewall firewall add rule name="${FIREWALL_RULE}" dir=in action=allow program="$INSTDIR\${APP_EXECUTABLE_FILENAME}" protocol=TCP profile=private'
  Pop $R0
  ${If} $R0 != 0
    MessageBox MB_OK|MB_ICONEXCLAMATION "The firewall rule for private networks was not added (netsh: $R0). Other machines can reach the lab manager only after you allow it in the firewall." /SD IDOK
  ${EndIf}
!macroend

; $R1: the program of a login item, which is quoted if it has arguments.
!macro readLoginItem ROOT PREFIX
  ReadRegStr $R1 ${ROOT} "${PREFIX}${loginItems}" "${APP_ID}"
  StrCpy $R2 $R1 1
  ${If} $R2 == '"'
    StrCpy $R1 $R1 "" 1
    StrCpy $R3 0
    ${Do}
      StrCpy $R2 $R1 1 $R3
      ${If} $R2 == '"'
      ${OrIf} $R2 == ""
        ${Break}
      ${EndIf}
      IntOp $R3 $R3 + 1
    ${Loop}
    StrCpy $R1 $R1 $R3
  ${EndIf}
!macroend

; A login item of another copy of the app stays.
!macro removeLoginItem ROOT PREFIX
  !insertmacro readLoginItem ${ROOT} "${PREFIX}"
  ${If} $R1 == "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
    DeleteRegValue ${ROOT} "${PREFIX}${loginItems}" "${APP_ID}"
    DeleteRegValue ${ROOT} "${PREFIX}${loginItemStates}" "${APP_ID}"
  ${EndIf}
!macroend

; The login item of the user's own copy, which an installation for all users replaces, starts the new program.
!macro redirectLoginItem
  !insertmacro readLoginItem HKCU ""
  ${If} $R1 != ""
  ${AndIfNot} ${FileExists} "$R1"
    ReadRegStr $R0 HKCU "${loginItems}" "${APP_ID}"
    StrCpy $R0 $R0 "" -9
    ${If} $R0 == " --hidden"
      WriteRegStr HKCU "${loginItems}" "${APP_ID}" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --hidden'
    ${Else}
      WriteRegStr HKCU "${loginItems}" "${APP_ID}" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}"'
    ${EndIf}
  ${EndIf}
  ClearErrors
!macroend

!macro customInstall
  ${If} $installMode == "all"
    !insertmacro addFirewallRule
    !insertmacro redirectLoginItem
  ${EndIf}
!macroend

; The settings, the history and the logs of the current user. The folder .madsci also belongs to other programs.
!macro removeData
  RMDir /r "$APPDATA\${DATA_FOLDER}"
  RMDir /r "$LOCALAPPDATA\${DATA_FOLDER}"
  Delete "$PROFILE\.madsci\logs\lab-manager.*"
  Delete "$PROFILE\.madsci\logs\crashes.json"
  RMDir "$PROFILE\.madsci\logs"
  RMDir "$PROFILE\.madsci"
!macroend

!macro customUnInstall
  ${IfNot} ${isUpdated}
    ${If} $installMode == "all"
      !insertmacro deleteFirewallRule
      ; Only the registries of users who are logged in are loaded.
      StrCpy $R4 0
      ${Do}
        EnumRegKey $R5 HKU "" $R4
        ${If} $R5 == ""
          ${Break}
        ${EndIf}
        !insertmacro removeLoginItem HKU "$R5\"
        IntOp $R4 $R4 + 1
      ${Loop}
      SetShellVarContext current
    ${Else}
      !insertmacro removeLoginItem HKCU ""
    ${EndIf}
    RMDir /r "$LOCALAPPDATA\${UPDATE_CACHE}"
    RMDir /r "$LOCALAPPDATA\${INSTALLER_CACHE}"
    ${If} ${isDeleteAppData}
      !insertmacro removeData
    ${ElseIf} ${Cmd} `MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "Also delete the settings, the history and the logs of your account?$\r$\n$\r$\nA later installation uses them if they stay." /SD IDNO IDYES`
      !insertmacro removeData
    ${EndIf}
    ${If} $installMode == "all"
      SetShellVarContext all
    ${EndIf}
    ClearErrors
  ${EndIf}
!macroend
