/** Texts of the sign-in and of the user menu. */
export const accountTexts = {
  signIn: 'Sign in',
  title: 'Sign in to the lab manager',
  name: 'Name',
  password: 'Password',
  screen: 'Stay signed in on this wall screen, as viewer',
  missing: 'Enter your name and your password.',
  menu: (name: string, role: string) => `Signed in as ${name}, ${role}`,
  account: 'Account',
  user: (name: string, role: string) => `${name} (${role})`,
  wallScreen: 'Wall screen',
  byProxy: 'The proxy signed you in: sign out there',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out on all machines',
  failed: (reason: string) => `Signing out failed: ${reason}`,
} as const;
