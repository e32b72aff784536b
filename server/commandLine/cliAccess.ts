/** `--user` and `--token`: the users and API tokens of remote access, for the running service or the next one. */
import { roles, type Role } from '../../api/lab/access.ts';
import { usersFile } from '../access/access.ts';
import { addUser, createToken, setPassword } from '../access/editAccounts.ts';
import { isName, nameSyntax, RefusedChange } from '../access/users.ts';
import { changeAccounts, readAccounts } from '../access/usersFile.ts';
import { getListenTarget } from '../http/listening/listenTarget.ts';
import type { LabSettings, SettingsInputs } from '../settings/schema/types.ts';
import { exitCodes } from '../status.ts';
import { stateDir } from '../storage/installation.ts';
import { statePath } from '../labWatches.ts';
import { NoPasswordError, readNewPassword, type Output } from './terminal.ts';

export interface AccessRun {
  readonly inputs: SettingsInputs;
  readonly settings: LabSettings;
  /** The values of `--user`, `--token` and `--role`. */
  readonly flags: { readonly user: string | null; readonly token: string | null; readonly role: string | null };
}

type Print = (text: string) => void;

/** The command line is invalid; the message names the problem and the expected syntax. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @returns the exit code @throws Error with a user-facing message if the file cannot be read or written */
export async function runAccess(
  { inputs, settings, flags }: AccessRun,
  { print, printError }: Output,
): Promise<number> {
  const folder = stateDir(process.platform, inputs.env, inputs.homeDir);
  const path = statePath(folder, usersFile, getListenTarget(settings).port);
  try {
    if (flags.user !== null && flags.token !== null)
      throw new UsageError('--user and --token cannot be used together. Expected: one of them');
    const role = parseRole(flags.role);
    if (flags.user !== null) await runUser(path, flags.user, role, print);
    else await runToken(path, flags.token ?? '', role, print);
  } catch (error) {
    const isWrongUse =
      error instanceof UsageError || error instanceof RefusedChange || error instanceof NoPasswordError;
    if (!isWrongUse) throw error;
    printError(error.message);
    return exitCodes.settings;
  }
  if (settings.remoteAccess === 'off')
    print('Remote access is off: this takes effect with LAB_REMOTE_ACCESS=view or operate');
  return exitCodes.ok;
}

function parseRole(text: string | null): Role | null {
  if (text === null) return null;
  const role = roles.find((candidate) => candidate === text.toLowerCase());
  if (role === undefined) throw new UsageError(`--role: “${text}” is not a role. Expected: one of ${roles.join(', ')}`);
  return role;
}

async function runUser(path: string, action: string, role: Role | null, print: Print): Promise<void> {
  const [verb = '', name = ''] = splitAction(action);
  switch (verb) {
    case 'list':
      return printAccounts((await readAccounts(path)).users, 'user', print);
    case 'add': {
      const user = { name: requireName('--user add', name), role: requireRole(role, '--user add') };
      await addUser(path, user, () => readNewPassword(name));
      return print(`Added ${name} as ${user.role}`);
    }
    case 'role': {
      const change = {
        kind: 'set role',
        name: requireName('--user role', name),
        role: requireRole(role, '--user role'),
      } as const;
      await changeAccounts(path, change);
      return print(`${name} is ${change.role} now`);
    }
    case 'password':
      await setPassword(path, requireName('--user password', name), () => readNewPassword(name));
      return print(`${name} has a new password and is signed out everywhere`);
    case 'remove':
      await changeAccounts(path, { kind: 'remove user', name: requireName('--user remove', name) });
      return print(`Removed ${name}, who is signed out everywhere`);
    default:
      throw new UsageError(`--user: “${verb}” is not an action. Expected: list, add, role, password or remove`);
  }
}

async function runToken(path: string, action: string, role: Role | null, print: Print): Promise<void> {
  const [verb = '', name = ''] = splitAction(action);
  switch (verb) {
    case 'list':
      return printAccounts((await readAccounts(path)).tokens, 'API token', print);
    case 'create': {
      const account = { name: requireName('--token create', name), role: requireRole(role, '--token create') };
      const { token } = await createToken(path, account);
      print(token);
      return print(`This is the API token ${name} with the role ${account.role}; it is shown only now`);
    }
    case 'revoke':
      await changeAccounts(path, { kind: 'revoke token', name: requireName('--token revoke', name) });
      return print(`Revoked the API token ${name}`);
    default:
      throw new UsageError(`--token: “${verb}” is not an action. Expected: list, create or revoke`);
  }
}

/** The rest is the name, so that a name with a space is refused instead of shortened. */
function splitAction(action: string): readonly string[] {
  const [verb = '', ...name] = action.split(' ');
  return [verb, name.join(' ')];
}

function requireName(option: string, name: string): string {
  if (name === '') throw new UsageError(`${option} needs a name`);
  if (!isName(name)) throw new UsageError(`${option}: “${name}” is not a valid name. Expected: ${nameSyntax}`);
  return name;
}

function requireRole(role: Role | null, option: string): Role {
  if (role === null) throw new UsageError(`${option} needs --role. Expected: one of ${roles.join(', ')}`);
  return role;
}

function printAccounts(
  entries: readonly { name: string; role: Role; created: string }[],
  kind: string,
  print: Print,
): void {
  if (entries.length === 0) return print(`There is no ${kind}`);
  const width = Math.max(...entries.map(({ name }) => name.length));
  for (const { name, role, created } of entries.toSorted((a, b) => a.name.localeCompare(b.name)))
    print(`${name.padEnd(width)}  ${role.padEnd(13)}  since ${created.slice(0, 10)}`);
}
