/** Texts of users and API tokens in the Settings window. */
import type { Role } from '#api/lab/access.ts';

export const accountsTexts = {
  users: 'Users',
  tokens: 'API tokens',
  /** Further words that the search of the window matches, besides the titles. */
  searched: 'sign in password role viewer operator administrator remote access',
  addUser: 'Add user…',
  roleLabel: (name: string) => `Role of ${name}…`,
  passwordLabel: (name: string) => `New password of ${name}…`,
  removeLabel: (name: string) => `Remove ${name}…`,
  revokeLabel: (name: string) => `Revoke ${name}…`,
} as const;

export const roleRights: Readonly<Record<Role, string>> = {
  viewer: 'Reads the managers.',
  operator: 'Reads the managers, and sends commands such as pausing a workflow.',
  administrator: 'Has the rights of an operator, and also manages the lab manager itself.',
};

export const accountFormTexts = {
  name: 'Name',
  password: 'Password',
  again: 'Repeat the password',
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
