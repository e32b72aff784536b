/** Texts of the sign-in and of the user menu. */
export const accountTexts = {
  signIn: 'Sign in',
  name: 'Name',
  password: 'Password',
  signOut: 'Sign out',
} as const;
