/** Opens the bundle that `--bundle` saves, and searches it for secrets that were in their usual places. */
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pickFreePort } from '../../e2e/support/managers.ts';
import { bundle } from '../commandLine/cliDoctor.ts';
import { checksFor } from './checks/all.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';

let folder: TempFolder;
beforeEach(async () => {
  folder = await makeTempFolder();
});
afterEach(() => folder.remove());

const secrets = {
  webhook: 'https://push.example.com/labalerts-xyz',
  hookPart: 'labalerts-xyz',
  variable: 'correct horse battery staple',
  bearer: 'mF_9.B5f-4.1JqM',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N',
  hex: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  password: 'hunter2!x',
  split: 'Zx8Kq2LmN5vB7cD1fG3hJ4kP6rT9wY0a',
  database: 'ninepins',
} as const;

const settings = `lab_notify_webhook_url: ["${secrets.webhook}"]
lab_manager_name: Bench 4
event_server_url: None
experiment_server_url: None
resource_server_url: None
data_server_url: None
workcell_server_url: None
location_server_url: None
`;

async function saveBundle(file = 'out.zip', text = settings, extraEnv: Readonly<Record<string, string>> = {}) {
  await folder.write({
    'home/lab/settings.yaml': text,
    'home/lab/.madsci/logs/lab-manager.log': [
      '2026-11-22 12:00:00.000 [info] (service) Listening on [::]:8000',
      `the password is not ${secrets.database}`,
      `posting to ${secrets.webhook} with Authorization: Bearer ${secrets.bearer} and ${secrets.variable}`,
      `{"password":"${secrets.password}","session":"${secrets.jwt}"} ${secrets.hex}`,
      `GET http://somebody:${secrets.password}@lab-pc:8001/health`,
      '',
    ].join('\n'),
    // Longer than the limit: the bundle contains its end, from a complete line on.
    'home/lab/.madsci/logs/lab-manager.old.log': `token=${secrets.split}\n${'a line of the log that is not secret\n'.repeat(200_000)}`,
    'home/lab/.madsci/logs/other.txt': 'not a log',
  });
  const texts: string[] = [];
  const env = {
    LAB_LISTEN_PORT: String(await pickFreePort()),
    SERVICE_TOKEN: secrets.variable,
    LAB_DATABASE_URL: `postgresql://lab:${secrets.database}@db/lab`,
    ...extraEnv,
  };
  const inputs = folder.inputs({ env });
  const code = await bundle({ inputs, file, version: '9.8.7' }, (line) => void texts.push(line));
  return { code, path: join(folder.path, 'home/lab', file), printed: texts.join('\n') };
}

it('the diagnostics bundle lists its contents and contains no secrets', async () => {
  const { code, path, printed } = await saveBundle();
  expect(code).toBe(0);
  const files = Object.entries(unzipSync(await readFile(path))).map(
    ([name, bytes]) => [name, Buffer.from(bytes).toString()] as const,
  );
  expect(files.map(([name]) => name).toSorted()).toEqual([
    'README.txt',
    'checks.json',
    'checks.txt',
    'crashes.json',
    'lab.json',
    'logs/lab-manager.log',
    'logs/lab-manager.old.log',
    'settings.json',
    'versions.json',
  ]);
  for (const [name] of files.filter(([fileName]) => fileName !== 'README.txt')) {
    expect(printed).toContain(name);
    expect(files.find(([fileName]) => fileName === 'README.txt')?.[1]).toContain(name);
  }
  for (const [name, text] of files)
    for (const [kind, value] of Object.entries(secrets)) expect(text.includes(value), `${kind} in ${name}`).toBe(false);
  const texts = Object.fromEntries(files);
  expect(texts['logs/lab-manager.log']).toContain('Listening on [::]:8000');
  expect(texts['logs/lab-manager.old.log']?.length).toBeGreaterThan(5_000_000);
  expect(texts['settings.json']).toMatch(/"manager_name": "Bench 4"[\s\S]*"file": "settings\.yaml",[^}]*"line": 2/);
  expect(texts['versions.json']).toContain('"lab-manager": "9.8.7"');
  expect(JSON.parse(texts['checks.json'] ?? '')).toHaveLength(checksFor(false).length);
});

it('the diagnostics bundle contains paths below the folder of PWD, but not the password in DB_PWD', async () => {
  const home = join(folder.path, 'home');
  const { path } = await saveBundle('out.zip', settings, {
    PWD: home,
    OLDPWD: join(home, 'lab'),
    DB_PWD: secrets.password,
  });
  const texts = Object.values(unzipSync(await readFile(path))).map((bytes) => Buffer.from(bytes).toString());
  expect(texts.some((text) => text.includes(join(home, 'lab', 'settings.yaml')))).toBe(true);
  expect(texts.some((text) => text.includes(secrets.password))).toBe(false);
});

it.skipIf(process.platform === 'win32')(
  'the diagnostics bundle is private to its owner and does not write through a link',
  async () => {
    const lab = join(folder.path, 'home/lab');
    await writeFile(join(lab, 'out.zip'), 'older', { mode: 0o666 });
    expect((await stat((await saveBundle()).path)).mode & 0o777).toBe(0o600);
    const victim = join(folder.path, 'victim');
    await writeFile(victim, 'untouched');
    await symlink(victim, join(lab, 'link.zip'));
    await saveBundle('link.zip');
    expect(await readFile(victim, 'utf8')).toBe('untouched');
  },
);

it('the diagnostics bundle is saved despite invalid settings, and a failed save reports the reason', async () => {
  const broken = await saveBundle(
    'out.zip',
    `${settings}event_server_url: nonsense\nlab_password: "${secrets.password}"\n`,
  );
  const text = Buffer.from(unzipSync(await readFile(broken.path))['settings.json'] ?? []).toString();
  expect(text).toContain('problems');
  expect(text).not.toContain(secrets.password);
  await expect(saveBundle('nowhere/out.zip')).rejects.toThrow(
    /can't be saved to .*nowhere[/\\]out\.zip: there is no such folder/,
  );
  await mkdir(join(folder.path, 'home/lab/taken.zip'));
  await expect(saveBundle('taken.zip')).rejects.toThrow(/can't be saved to .*taken\.zip/);
});
