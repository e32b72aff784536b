/** Handles requests of the app's Settings window about users and API tokens, in the file that `--user` and `--token` change. */
import { usersFile } from '../access/access.ts';
import type { AccountsReply, AccountsRequest, AccountsView } from '../access/accountMessages.ts';
import { addUser, createToken, setPassword } from '../access/editAccounts.ts';
import { RefusedChange, type Accounts } from '../access/users.ts';
import { changeAccounts, readAccounts } from '../access/usersFile.ts';
import { getListenTarget } from '../http/listening/listenTarget.ts';
import type { Log } from '../logging/log.ts';
import { cleanText } from '../logging/text.ts';
import { loadSettings } from '../settings/load/load.ts';
import type { SettingsInputs } from '../settings/schema/types.ts';
import { stateDir } from '../storage/installation.ts';
import { statePath } from '../labWatches.ts';

export interface AccountsHost {
  readonly inputs: SettingsInputs;
  /** The port of the service of this process that serves the settings' lab; `null` while there is none. */
  readonly port: number | null;
  /** Receives a line for each change. */
  readonly log: Log;
}

/** @throws Error with a user-facing message if the file or the settings can't be used; nothing is changed then */
export async function handleAccountsRequest(host: AccountsHost, request: AccountsRequest): Promise<AccountsReply> {
  const { inputs, log } = host;
  const loaded = await loadSettings(inputs);
  if (!loaded.ok) throw new Error('The settings have errors: correct them first');
  const { settings } = loaded;
  const folder = stateDir(process.platform, inputs.env, inputs.homeDir);
  const file = statePath(folder, usersFile, host.port ?? getListenTarget(settings).port);
  try {
    const { accounts, token = null } = await apply(file, request);
    if (request.kind !== 'list') log.info(describe(request));
    return { ok: true, view: { remoteAccess: settings.remoteAccess, file, ...withoutHashes(accounts) }, token };
  } catch (error) {
    if (!(error instanceof RefusedChange)) throw error;
    return { ok: false, problem: error.message, field: error.field };
  }
}

interface AppliedChange {
  readonly accounts: Accounts;
  /** The text of a created token. */
  readonly token?: string;
}

async function apply(file: string, request: AccountsRequest): Promise<AppliedChange> {
  switch (request.kind) {
    case 'list':
      return { accounts: await readAccounts(file) };
    case 'add-user':
      return { accounts: await addUser(file, request, async () => request.password) };
    case 'set-password':
      return { accounts: await setPassword(file, request.name, async () => request.password) };
    case 'create-token':
      return createToken(file, request);
    case 'set-role': {
      const { name, role } = request;
      return { accounts: await changeAccounts(file, { kind: 'set role', name, role }) };
    }
    case 'remove-user':
      return { accounts: await changeAccounts(file, { kind: 'remove user', name: request.name }) };
    case 'revoke-token':
      return { accounts: await changeAccounts(file, { kind: 'revoke token', name: request.name }) };
  }
}

function describe(request: Exclude<AccountsRequest, { kind: 'list' }>): string {
  const name = `“${cleanText(request.name, 100)}”`;
  switch (request.kind) {
    case 'add-user':
      return `The app added the user ${name} as ${request.role}`;
    case 'set-role':
      return `The app gave the user ${name} the role ${request.role}`;
    case 'set-password':
      return `The app set a new password for the user ${name}`;
    case 'remove-user':
      return `The app removed the user ${name}`;
    case 'create-token':
      return `The app created the API token ${name} with the role ${request.role}`;
    case 'revoke-token':
      return `The app revoked the API token ${name}`;
  }
}

/** The users and tokens as the app shows them: the hashes of passwords and tokens are left out. */
function withoutHashes({ users, tokens }: Accounts): Pick<AccountsView, 'users' | 'tokens'> {
  const listEntries = (all: Accounts['users'] | Accounts['tokens']) =>
    all.map(({ name, role, created }) => ({ name, role, created })).toSorted((a, b) => a.name.localeCompare(b.name));
  return { users: listEntries(users), tokens: listEntries(tokens) };
}
