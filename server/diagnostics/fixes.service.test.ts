/** Tests the fixes: applied by the check's ID, to the current finding of the check, with its result afterwards. */
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pickFreePort } from '../../e2e/support/managers.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import type { ContextOptions } from './checks/context.ts';
import { runCheckAlone } from './diagnose.ts';

let folder: TempFolder;
let options: ContextOptions;
const noManagers = ['event', 'experiment', 'resource', 'data', 'workcell', 'location']
  .map((key) => `${key}_server_url: None\n`)
  .join('');

beforeEach(async () => {
  folder = await makeTempFolder({ 'home/lab/settings.yaml': noManagers, 'logs/lab-manager.log': '' });
  const inputs = folder.inputs({ env: { LAB_LISTEN_PORT: String(await pickFreePort()) } });
  options = { inputs, logDir: join(folder.path, 'logs') };
  // Temporary folders are restricted to their owner, so others could not reach the file.
  await chmod(folder.path, 0o755);
});
afterEach(() => folder.remove());

const mode = async (path: string) => (await stat(path)).mode & 0o777;

// Windows has no file modes.
it.skipIf(process.platform === 'win32')(
  'the fix of permissions removes write access of others and changes no other file',
  async () => {
    const settings = join(folder.path, 'home/lab/settings.yaml');
    const otherFile = join(folder.path, 'home/lab/other.yaml');
    await writeFile(otherFile, '');
    await Promise.all([chmod(settings, 0o666), chmod(otherFile, 0o666)]);
    const before = await runCheckAlone(options, 'permissions', false);
    expect(before.report).toMatchObject({
      result: 'problem',
      fix: { id: 'restrict-access', command: `chmod o-w ${settings}` },
    });
    expect(await mode(settings)).toBe(0o666);
    const { report, open } = await runCheckAlone(options, 'permissions', true);
    expect([report.result, report.fix, open]).toEqual(['ok', undefined, null]);
    expect([await mode(settings), await mode(otherFile)]).toEqual([0o664, 0o666]);
  },
);

it.skipIf(process.platform === 'win32')(
  'the fix of permissions removes read access of others when the settings contain a secret',
  async () => {
    const settings = join(folder.path, 'home/lab/settings.yaml');
    await writeFile(settings, `${noManagers}lab_notify_webhook_url: ["http://127.0.0.1:9/hook"]\n`);
    await chmod(settings, 0o644);
    const { report } = await runCheckAlone(options, 'permissions', true);
    expect(report.result).toBe('ok');
    expect(await mode(settings)).toBe(0o640);
  },
);

it('the fix of crashes sets a damaged list aside, leaves a readable one, and quotes a path with a space', async () => {
  const crashes = join(folder.path, 'logs/crashes.json');
  await writeFile(crashes, 'not JSON');
  const spaced = { ...options, logDir: join(folder.path, 'my logs') };
  await folder.write({ 'my logs/crashes.json': 'not JSON' });
  const { report: other } = await runCheckAlone(spaced, 'crashes', false);
  const command = `mv '${folder.path}/my logs/crashes.json' '${folder.path}/my logs/crashes.json.damaged'`;
  // The shells of Windows have different quoting rules.
  expect(other.fix?.command).toBe(process.platform === 'win32' ? null : command);
  const { report } = await runCheckAlone(options, 'crashes', true);
  expect(report.result).toBe('ok');
  expect(await readFile(`${crashes}.damaged`, 'utf8')).toBe('not JSON');
  await writeFile(crashes, '[]');
  await runCheckAlone(options, 'crashes', true);
  expect(await readFile(crashes, 'utf8')).toBe('[]');
});

it('the fix of settings is left to the app', async () => {
  await writeFile(join(folder.path, 'home/lab/settings.yaml'), 'event_server_url: ftp://bench\n');
  const { report, open } = await runCheckAlone(options, 'settings', true);
  expect([report.result, open]).toEqual(['problem', 'open-settings']);
});

it.each(['clock', '../settings', 'toString'])('a check with the ID %s is unknown', async (id) => {
  await expect(runCheckAlone(options, id, true)).rejects.toThrow(`There is no check ${id}`);
});
