import { userInfo } from 'node:os';

/** The account of the person who runs this program, under sudo their own; `null` where the system has no name for it. */
export function accountName(env: NodeJS.ProcessEnv = process.env, isRoot = process.getuid?.() === 0): string | null {
  const { SUDO_USER: person = '' } = env;
  if (isRoot && person !== '') return person;
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
