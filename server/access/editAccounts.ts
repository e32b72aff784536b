/** Changes of users and API tokens with their checks, for the command line and the app. */
import type { Role } from '../../api/lab/access.ts';
import { passwordProblem, Passwords } from './passwords.ts';
import { getNamed, newToken, RefusedChange, assertNameAvailable, type Accounts } from './users.ts';
import { changeAccounts, readAccounts } from './usersFile.ts';

interface NewAccount {
  readonly name: string;
  readonly role: Role;
}

/**
 * @param path of the users file
 * @param password is called after the name was checked
 * @throws {RefusedChange} or another Error with a user-facing message; in that case nothing is changed
 */
export async function addUser(
  path: string,
  { name, role }: NewAccount,
  password: () => Promise<string>,
): Promise<Accounts> {
  assertNameAvailable((await readAccounts(path)).users, name, 'user');
  return changeAccounts(path, { kind: 'add user', name, role, password: await hashNewPassword(await password()) });
}

/** Sets a new password, which ends the user's sessions. Parameters and errors as in `addUser`. */
export async function setPassword(path: string, name: string, password: () => Promise<string>): Promise<Accounts> {
  getNamed((await readAccounts(path)).users, name, 'user');
  return changeAccounts(path, { kind: 'set password', name, password: await hashNewPassword(await password()) });
}

/** @returns the accounts and the token's text, which is stored nowhere. Errors as in `addUser` */
export async function createToken(
  path: string,
  { name, role }: NewAccount,
): Promise<{ readonly accounts: Accounts; readonly token: string }> {
  const { token, hash } = newToken();
  return { accounts: await changeAccounts(path, { kind: 'create token', name, role, hash }), token };
}

async function hashNewPassword(password: string): Promise<string> {
  const problem = passwordProblem(password);
  if (problem !== null) throw new RefusedChange(`The password ${problem}`, 'password');
  return new Passwords().hash(password);
}
