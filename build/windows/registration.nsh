; Where Windows finds the installation: the Start menu and the list of installed apps. For installer.nsi; electron-builder has its own.
!include Win\COM.nsh
!include Win\Propkey.nsh

; Windows assigns the app's windows and notifications to the shortcut with its ID.
!macro createShortcut
  SetOutPath "$INSTDIR"
  CreateDirectory "$SMPROGRAMS"
  CreateShortcut "$SMPROGRAMS\${SHORTCUT_NAME}.lnk" "$INSTDIR\${APP_EXECUTABLE_FILENAME}" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME}" 0 "" "" "${APP_DESCRIPTION}"
  !insertmacro ComHlpr_CreateInProcInstance ${CLSID_ShellLink} ${IID_IShellLink} r0 ""
  ${If} $0 P<> 0
    ${IUnknown::QueryInterface} $0 '("${IID_IPersistFile}", .r1)'
    ${IUnknown::QueryInterface} $0 '("${IID_IPropertyStore}", .r2)'
    ${If} $1 P<> 0
    ${AndIf} $2 P<> 0
      ${IPersistFile::Load} $1 '("$SMPROGRAMS\${SHORTCUT_NAME}.lnk", ${STGM_READWRITE})'
      System::Call '*${SYSSTRUCT_PROPERTYKEY}(${PKEY_AppUserModel_ID})p .r3'
      System::Call '*(&w128 "${APP_ID}")p .r4'
      System::Call '*${SYSSTRUCT_PROPVARIANT}(${VT_LPWSTR},, p r4)p .r5'
      ${IPropertyStore::SetValue} $2 '($3, $5)'
      ${IPropertyStore::Commit} $2 ""
      ${IPersistFile::Save} $1 '("$SMPROGRAMS\${SHORTCUT_NAME}.lnk", 1)'
      System::Free $3
      System::Free $4
      System::Free $5
    ${EndIf}
    !insertmacro ComHlpr_SafeRelease $2
    !insertmacro ComHlpr_SafeRelease $1
    ${IUnknown::Release} $0 ""
  ${EndIf}
  ${IfNot} ${FileExists} "$SMPROGRAMS\${SHORTCUT_NAME}.lnk"
    MessageBox MB_OK|MB_ICONEXCLAMATION "The entry in the Start menu was not created. Start ${PRODUCT_NAME} from $INSTDIR." /SD IDOK
  ${EndIf}
!macroend

!macro writeRegistry
  WriteRegStr SHCTX "${INSTALL_KEY}" InstallLocation "$INSTDIR"
  WriteRegStr SHCTX "${INSTALL_KEY}" KeepShortcuts "true"
  WriteRegStr SHCTX "${INSTALL_KEY}" ShortcutName "${SHORTCUT_NAME}"
  ${If} $installMode == "all"
    StrCpy $R0 "/allusers"
  ${Else}
    StrCpy $R0 "/currentuser"
  ${EndIf}
  WriteRegStr SHCTX "${UNINSTALL_KEY}" DisplayName "${UNINSTALL_DISPLAY_NAME}"
  WriteRegStr SHCTX "${UNINSTALL_KEY}" DisplayVersion "${VERSION}"
  WriteRegStr SHCTX "${UNINSTALL_KEY}" DisplayIcon "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHCTX "${UNINSTALL_KEY}" Publisher "${COMPANY_NAME}"
  WriteRegStr SHCTX "${UNINSTALL_KEY}" Comments "${APP_DESCRIPTION}"
  WriteRegStr SHCTX "${UNINSTALL_KEY}" UninstallString '"$INSTDIR\${UNINSTALL_FILENAME}" $R0'
  WriteRegStr SHCTX "${UNINSTALL_KEY}" QuietUninstallString '"$INSTDIR\${UNINSTALL_FILENAME}" $R0 /S'
  WriteRegDWORD SHCTX "${UNINSTALL_KEY}" NoModify 1
  WriteRegDWORD SHCTX "${UNINSTALL_KEY}" NoRepair 1
  ${GetSize} "$INSTDIR" "/S=0K" $R0 $R1 $R2
  WriteRegDWORD SHCTX "${UNINSTALL_KEY}" EstimatedSize $R0
!macroend
