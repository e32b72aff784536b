/** Tests `--user` and `--token` in the built program, and their effect on a running service. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildStale } from '../../build/bundle/buildStale.mjs';
import { sessionResponse } from '../../api/lab/access.ts';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { repository, startService, type TestService } from '../../e2e/support/service.ts';

beforeAll(() => buildStale(repository), 120_000);

let service: TestService;
beforeEach(async () => {
  service = await startService({ env: { LAB_REMOTE_ACCESS: 'operate' } });
});
afterEach(() => service.stop());

/** Runs the program as the service's account. */
function run(args: readonly string[], input = '', remoteAccess = 'operate', extraEnv: NodeJS.ProcessEnv = {}) {
  const env = { ...service.commandEnvironment, LAB_REMOTE_ACCESS: remoteAccess, ...extraEnv };
  return new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [join(repository, 'dist/server/main.js'), ...args],
      { cwd: service.labFolder, env },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
    child.stdin?.end(input);
  });
}

/** Returns the status, with the reason of a refusal. */
async function signIn(name: string, password: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name, password });
  const response = await sendRequest(service.port, '/session', { method: 'POST', headers, body });
  return response.status === 200 ? '200' : `${response.status} ${response.body}`;
}

async function readUser(token: string) {
  const { body } = await sendRequest(service.port, '/session', { headers: { authorization: `Bearer ${token}` } });
  return sessionResponse.parse(JSON.parse(body)).user;
}

describe.skipIf(process.platform === 'win32')('the option --user', () => {
  it('adds, lists, changes and removes users of the running service', async () => {
    expect(await run(['--user', 'list'])).toMatchObject({ code: 0, out: 'There is no user\n' });
    const added = await run(['--user', 'add', 'ann', '--role', 'operator'], 'a long password\n');
    expect(added).toEqual({ code: 0, out: 'Added ann as operator\n', err: '' });
    await vi.waitFor(async () => expect(await signIn('ann', 'a long password')).toBe('200'));
    expect((await run(['--user', 'role', 'ann', '--role=viewer'])).out).toBe('ann is viewer now\n');
    expect((await run(['--user', 'list'])).out).toMatch(/^ann {2}viewer +since \d{4}-\d\d-\d\d\n$/);
    expect((await run(['--user', 'password', 'ann'], 'another password\n')).code).toBe(0);
    await vi.waitFor(async () => expect(await signIn('ann', 'another password')).toBe('200'));
    expect((await run(['--user', 'remove', 'ann'])).code).toBe(0);
    await vi.waitFor(
      async () => expect(await signIn('ann', 'another password')).toMatch(/^403 .*has no users/),
      10_000,
    );
  });

  it('reports that remote access is off', async () => {
    const { out } = await run(['--user', 'add', 'ann', '--role', 'viewer'], 'a long password\n', 'off');
    expect(out).toContain('Remote access is off: this takes effect with LAB_REMOTE_ACCESS=view or operate');
  });

  it.each([
    [['--user'], '--user: needs a value; expected: list, or add, role, password or remove and a name'],
    [['--user', 'ann'], '--user: “ann” is not an action. Expected: list, add, role, password or remove'],
    [['--user', 'add'], '--user add needs a name'],
    [['--user', 'add', 'ann'], '--user add needs --role. Expected: one of viewer, operator, administrator'],
    [['--user', 'add', 'ann', '--role', 'root'], '--role: “root” is not a role'],
    [['--user', 'add', 'a/b', '--role', 'viewer'], '“a/b” is not a valid name. Expected: a letter or digit'],
    [
      ['--user', 'add', 'ann smith', '--role', 'viewer'],
      '“ann smith” is not a valid name. Expected: a letter or digit',
    ],
    [['--user', 'add', 'ann', 'secret', '--role', 'viewer'], 'is an unexpected argument'],
    [['--user', 'add', 'ann', '--role', 'viewer'], 'The password has 5 characters; use at least 10'],
    [['--user', 'password', 'eve'], 'There is no user “eve”'],
    [['--user', 'list', '--token', 'list'], '--user and --token cannot be used together'],
    [['--role', 'viewer'], '--role goes with --user or --token'],
  ])('fails with the reason for the arguments %j', async (args, problem) => {
    const { code, err } = await run(args, 'short\n');
    expect(err.replaceAll(/\s+/g, ' ')).toContain(problem);
    expect(code).toBe(2);
  });
});

it.skipIf(process.platform === 'win32')('the option --token creates, lists and revokes API tokens', async () => {
  const { out } = await run(['--token', 'create', 'robot', '--role', 'operator']);
  const [token = '', explanation] = out.split('\n');
  expect(token).toMatch(/^lmt_[\w-]{43}$/);
  expect(explanation).toBe('This is the API token robot with the role operator; it is shown only now');
  await vi.waitFor(
    async () => expect(await readUser(token)).toMatchObject({ name: 'robot', role: 'operator' }),
    10_000,
  );
  expect((await run(['--token', 'list'])).out).toMatch(/^robot {2}operator +since /);
  expect((await run(['--token', 'revoke', 'robot'])).out).toBe('Revoked the API token robot\n');
  await vi.waitFor(async () => expect(await readUser(token)).toBeNull());
});

it('the option --token names the file that can’t be written and the reason', async () => {
  await service.folder.write({ 'home/state': '' });
  const { code, err } = await run(['--token', 'create', 'robot', '--role', 'operator'], '', 'operate', {
    XDG_STATE_HOME: join(service.folder.path, 'home/state'),
  });
  expect(err).toMatch(
    /home\/state\/lab-manager\/users-\d+\.json can't be written: a file exists in place of the folder\n$/,
  );
  expect(code).toBe(1);
});
