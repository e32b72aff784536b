/** Texts of the sign-in and of the user menu. */
export const accountTexts = {
  signIn: 'Sign in',
  name: 'Name',
  password: 'Password',
  menu: (name: string, role: string) => `Signed in as ${name}, ${role}`,
  user: (name: string, role: string) => `${name} (${role})`,
  signOut: 'Sign out',
  failed: (reason: string) => `Signing out failed: ${reason}`,
} as const;
