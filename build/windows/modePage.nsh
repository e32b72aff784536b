; The page that offers an installation for the user or for all users, of installer.nsi.
Function createModePage
  !insertmacro isAdministrator $R0
  ${If} ${isForAllUsers}
  ${AndIf} $R0 != 0
    Abort
  ${EndIf}
  !insertmacro MUI_HEADER_TEXT "Choose Users" "For whom should ${PRODUCT_NAME} be installed?"
  nsDialogs::Create 1018
  Pop $R0
  ${NSD_CreateRadioButton} 10u 20u 280u 12u "Only for &me"
  Pop $R1
  ${NSD_CreateRadioButton} 10u 40u 280u 12u "For &all users of this machine (needs an administrator; adds a firewall rule)"
  Pop $allUsersButton
  ${If} $installMode == "all"
    ${NSD_Check} $allUsersButton
  ${Else}
    ${NSD_Check} $R1
  ${EndIf}
  nsDialogs::Show
FunctionEnd

Function leaveModePage
  ${NSD_GetState} $allUsersButton $R0
  ${If} $R0 = ${BST_CHECKED}
    !insertmacro isAdministrator $R0
    ${If} $R0 = 0
      ClearErrors
      ExecShell "runas" "$EXEPATH" "/allusers"
      ${If} ${Errors}
        Abort
      ${EndIf}
      Quit
    ${EndIf}
    !insertmacro setMode all
  ${Else}
    !insertmacro setMode CurrentUser
  ${EndIf}
  Call setFolder
FunctionEnd
