; The installer for builds on Linux, compiled by NSIS without third-party plug-ins. It has the same result as
; electron-builder's script on Windows. HEADER is the file with all definitions (build/package/windowsInstaller.mjs).
Unicode true
Target amd64-unicode
!include "${HEADER}"
!ifdef IS_QUICK
  SetCompress off
!else
  SetCompressor /SOLID lzma
!endif
; Without the times of the files, two builds of the same files are byte-identical.
SetDateSave off
; A silent run fails instead of continuing without a file.
AllowSkipFiles off
ManifestDPIAware true
RequestExecutionLevel user

!define UNINSTALL_FILENAME "Uninstall ${PRODUCT_FILENAME}.exe"
!define APP_EXECUTABLE_FILENAME "${PRODUCT_FILENAME}.exe"
!define INSTALL_KEY "Software\${APP_GUID}"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${APP_GUID}"

!include FileFunc.nsh
!include MUI2.nsh
!include nsDialogs.nsh
!include x64.nsh

Var installMode
Var givenFolder
Var oldVersion
Var allUsersButton

; Tests for LogicLib of the options that electron-builder's installers have.
!macro _hasOption _a _b _t _f
  Push $R9
  ${GetParameters} $R9
  ClearErrors
  ${GetOptions} $R9 "${_b}" $R9
  Pop $R9
  IfErrors `${_f}` `${_t}`
!macroend
!define isUpdated `"" hasOption "--updated"`
!define isForceRun `"" hasOption "--force-run"`
!define isDeleteAppData `"" hasOption "--delete-app-data"`
!define isForAllUsers `"" hasOption "/allusers"`
!define isForCurrentUser `"" hasOption "/currentuser"`

!include "installer.nsh"
!include "registration.nsh"

Name "${PRODUCT_NAME}"
OutFile "${OUT_FILE}"
BrandingText "${PRODUCT_NAME} ${VERSION}"
VIProductVersion "${FILE_VERSION}"
VIAddVersionKey ProductName "${PRODUCT_NAME}"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${FILE_VERSION}"
VIAddVersionKey FileDescription "${APP_DESCRIPTION}"
VIAddVersionKey CompanyName "${COMPANY_NAME}"
VIAddVersionKey LegalCopyright "${COPYRIGHT}"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
Page custom createModePage leaveModePage
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE appendFolder
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_FUNCTION startApp
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

; Also selects the registry (SHCTX) and the folders of the mode.
!macro setMode MODE
  StrCpy $installMode "${MODE}"
  !if "${MODE}" == "all"
    SetShellVarContext all
  !else
    SetShellVarContext current
  !endif
!macroend

!macro isAdministrator RESULT
  System::Call 'shell32::IsUserAnAdmin() i .s'
  Pop ${RESULT}
!macroend

Function setFolder
  ReadRegStr $INSTDIR SHCTX "${INSTALL_KEY}" InstallLocation
  ${If} $givenFolder != ""
    StrCpy $INSTDIR $givenFolder
  ${ElseIf} $INSTDIR == ""
    ${If} $installMode == "all"
      StrCpy $INSTDIR "$PROGRAMFILES64\${APP_FILENAME}"
    ${Else}
      StrCpy $INSTDIR "$LOCALAPPDATA\Programs\${APP_FILENAME}"
    ${EndIf}
  ${EndIf}
FunctionEnd

Function .onInit
  SetRegView 64
  ; Set by /D=.
  StrCpy $givenFolder $INSTDIR
  ReadRegStr $R0 HKCU "${INSTALL_KEY}" InstallLocation
  ReadRegStr $R1 HKLM "${INSTALL_KEY}" InstallLocation
  ${If} ${isForAllUsers}
    !insertmacro setMode all
  ${ElseIf} ${isForCurrentUser}
    !insertmacro setMode CurrentUser
  ${ElseIf} $R0 == ""
  ${AndIf} $R1 != ""
    !insertmacro setMode all
  ${Else}
    !insertmacro setMode CurrentUser
  ${EndIf}
  Call setFolder
  ${If} ${Silent}
    Call requireAdministrator
  ${EndIf}
FunctionEnd

; An update of the app shows Windows' prompt for an administrator. Other silent runs have no user to respond to it.
Function requireAdministrator
  !insertmacro isAdministrator $R0
  ${If} $installMode == "all"
  ${AndIf} $R0 = 0
    ${If} ${isUpdated}
      ${GetParameters} $R1
      ExecShellWait "runas" "$EXEPATH" "$R1 /allusers"
      SetErrorLevel 0
    ${Else}
      SetErrorLevel ${EXIT_NOT_PERMITTED}
    ${EndIf}
    Quit
  ${EndIf}
FunctionEnd

!include "modePage.nsh"

; A folder of the app's own: uninstalling removes all of it.
Function appendFolder
  ${GetFileName} $INSTDIR $R0
  ${If} $R0 != "${APP_FILENAME}"
    StrCpy $INSTDIR "$INSTDIR\${APP_FILENAME}"
  ${EndIf}
FunctionEnd

Function startApp
  ; By the shell: the app does not get the rights of an administrator who installs it.
  Exec '"$WINDIR\explorer.exe" "$SMPROGRAMS\${SHORTCUT_NAME}.lnk"'
FunctionEnd

; Removes an installation in another folder: the user's own copy, or an older version after a change of the folder.
!macro removeInstallation ROOT
  ReadRegStr $R2 ${ROOT} "${INSTALL_KEY}" InstallLocation
  ${If} ${ROOT} == SHCTX
  ${AndIf} $installMode == "all"
    StrCpy $R4 "/allusers"
  ${Else}
    StrCpy $R4 "/currentuser"
  ${EndIf}
  ${If} $R2 != ""
  ${AndIf} $R2 != $INSTDIR
  ${AndIf} ${FileExists} "$R2\${UNINSTALL_FILENAME}"
    InitPluginsDir
    CopyFiles /SILENT "$R2\${UNINSTALL_FILENAME}" "$PLUGINSDIR\old-uninstaller.exe"
    ExecWait '"$PLUGINSDIR\old-uninstaller.exe" /S $R4 --updated _?=$R2' $R3
    ${If} ${Errors}
    ${OrIf} $R3 != 0
      MessageBox MB_OK|MB_ICONSTOP "The version in $R2 can’t be removed (exit code $R3)." /SD IDOK
      SetErrorLevel ${EXIT_RUNNING}
      Quit
    ${EndIf}
    RMDir "$R2"
  ${EndIf}
  ClearErrors
!macroend

; Renaming the folder fails while a program has one of its files open, before anything has changed.
!macro setOldVersionAside
  StrCpy $oldVersion ""
  ${If} ${FileExists} "$INSTDIR\*.*"
    RMDir /r "$INSTDIR.replaced-by-update"
    StrCpy $R1 20
    ${Do}
      ClearErrors
      Rename "$INSTDIR" "$INSTDIR.replaced-by-update"
      ${IfNot} ${Errors}
        StrCpy $oldVersion "$INSTDIR.replaced-by-update"
        ${Break}
      ${EndIf}
      ${If} $R1 = 0
        MessageBox MB_OK|MB_ICONSTOP "$INSTDIR can’t be replaced: another program has a file of it open. Close that program, then start this program again." /SD IDOK
        SetErrorLevel ${EXIT_RUNNING}
        Quit
      ${EndIf}
      IntOp $R1 $R1 - 1
      Sleep 250
    ${Loop}
  ${EndIf}
!macroend

Function .onInstFailed
  ${If} $oldVersion != ""
    SetOutPath "$TEMP"
    RMDir /r "$INSTDIR"
    Rename "$oldVersion" "$INSTDIR"
  ${EndIf}
FunctionEnd

Section "${PRODUCT_NAME}"
  !insertmacro customCheckAppRunning
  !insertmacro removeInstallation SHCTX
  ${If} $installMode == "all"
    !insertmacro removeInstallation HKCU
  ${EndIf}
  !insertmacro setOldVersionAside
  SetOutPath "$INSTDIR"
  File /r "${APP_DIRECTORY}/*.*"
  WriteUninstaller "$INSTDIR\${UNINSTALL_FILENAME}"
  !insertmacro createShortcut
  !insertmacro writeRegistry
  !insertmacro customInstall
  ${If} $oldVersion != ""
    RMDir /r "$oldVersion"
    StrCpy $oldVersion ""
  ${EndIf}
  ${If} ${isForceRun}
  ${AndIf} ${Silent}
    Call startApp
  ${EndIf}
SectionEnd

Function un.onInit
  SetRegView 64
  ReadRegStr $R0 HKLM "${INSTALL_KEY}" InstallLocation
  ${If} ${isForAllUsers}
    !insertmacro setMode all
  ${ElseIf} ${isForCurrentUser}
    !insertmacro setMode CurrentUser
  ${ElseIf} $R0 == $INSTDIR
    !insertmacro setMode all
  ${Else}
    !insertmacro setMode CurrentUser
  ${EndIf}
  ; A copied uninstaller must not remove the folder that it was copied to.
  ReadRegStr $R0 SHCTX "${INSTALL_KEY}" InstallLocation
  ${If} $R0 != $INSTDIR
    MessageBox MB_OK|MB_ICONSTOP "${PRODUCT_NAME} is not installed in $INSTDIR." /SD IDOK
    SetErrorLevel ${EXIT_OTHER_FILES}
    Quit
  ${EndIf}
  !insertmacro isAdministrator $R0
  ${If} $installMode == "all"
  ${AndIf} $R0 = 0
    ${If} ${Silent}
      SetErrorLevel ${EXIT_NOT_PERMITTED}
    ${Else}
      ExecShell "runas" "$INSTDIR\${UNINSTALL_FILENAME}" "/allusers"
    ${EndIf}
    Quit
  ${EndIf}
FunctionEnd

Section Uninstall
  !insertmacro closeApp
  !insertmacro customUnInstall
  SetOutPath "$TEMP"
  RMDir /r "$INSTDIR"
  Delete "$SMPROGRAMS\${SHORTCUT_NAME}.lnk"
  DeleteRegKey SHCTX "${UNINSTALL_KEY}"
  DeleteRegKey SHCTX "${INSTALL_KEY}"
SectionEnd
