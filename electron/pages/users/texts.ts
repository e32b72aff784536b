/** Texts of users and API tokens in the Settings window. */
import type { Role } from '#api/lab/access.ts';

export const accountsTexts = {
  users: 'Users',
  usersHelp: 'People who sign in at this lab manager from other machines. Changes take effect within about a second.',
  stored: (file: string) => `Users and API tokens are stored in ${file}.`,
  noUsers: 'There is no user yet.',
  tokens: 'API tokens',
  tokensHelp: 'For programs, which send a token instead of a password.',
  noTokens: 'There is no API token yet.',
  /** Further words that the search of the window matches, besides the titles. */
  searched: 'sign in password role viewer operator administrator remote access',
  off: 'Remote access is off: users and tokens have no effect until it is set to view or operate.',
  view: 'Remote access is set to view: nobody can send commands, whatever the role.',
  openSetting: 'Show the setting',
  unavailable: (reason: string) => `Users and API tokens can’t be shown: ${reason}.`,
  since: (role: string, time: string) => `${role}, since ${time}`,
  addUser: 'Add user…',
  createToken: 'Create token…',
  role: 'Role…',
  roleLabel: (name: string) => `Role of ${name}…`,
  password: 'Password…',
  passwordLabel: (name: string) => `New password of ${name}…`,
  remove: 'Remove…',
  removeLabel: (name: string) => `Remove ${name}…`,
  revoke: 'Revoke…',
  revokeLabel: (name: string) => `Revoke ${name}…`,
} as const;

export const roleRights: Readonly<Record<Role, string>> = {
  viewer: 'Reads the managers.',
  operator: 'Reads the managers, and sends commands such as pausing a workflow.',
  administrator: 'Has the rights of an operator, and also manages the lab manager itself.',
};

export const accountFormTexts = {
  name: 'Name',
  role: 'Role',
  password: 'Password',
  newPassword: 'New password',
  again: 'Repeat the password',
  passwordHint: 'At least 10 characters.',
  noName: 'Enter a name.',
  differ: 'The two passwords are different.',
  titles: {
    'add-user': () => 'Add a user',
    'create-token': () => 'Create an API token',
    'set-role': (name: string) => `Role of ${name}`,
    'set-password': (name: string) => `New password of ${name}`,
    'remove-user': (name: string) => `Remove ${name}?`,
    'revoke-token': (name: string) => `Revoke the API token ${name}?`,
  },
  actions: {
    'add-user': 'Add user',
    'create-token': 'Create token',
    'set-role': 'Change role',
    'set-password': 'Set password',
    'remove-user': 'Remove user',
    'revoke-token': 'Revoke token',
  },
  effects: {
    'add-user': '',
    'create-token': '',
    'set-role': 'The new role counts immediately, also where the user is signed in.',
    'set-password': 'The user is signed out on all machines.',
    'remove-user': 'The user is signed out on all machines and can’t sign in again.',
    'revoke-token': 'Programs that use this token lose access.',
  },
} as const;

export const newTokenTexts = {
  title: (name: string) => `API token ${name}`,
  once: 'Copy the token now: it is shown only once.',
  header: (token: string) => `Authorization: Bearer ${token}`,
  usage: 'Programs send it in this header:',
  done: 'Done',
} as const;
