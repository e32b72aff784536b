/** The apt repository: apt installs the package from a web server, and refuses whatever the signature does not cover. */
import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import serveStatic from 'serve-static';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { aptKeyFile, writeAptRepository } from '../../build/package/aptRepository.mjs';
import { answer, freePort, plainEnvironment, startProgram, until, type Program } from '../support/desktop/program.ts';
import * as debian from './debianPackage.ts';

const deb = process.env['LAB_MANAGER_DEB'] ?? '';
const execute = promisify(execFile);

let folder = '';
let repository = '';
let server: Server;
/** apt's folders for one test. */
let apt = '';
let program: Program | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'repository-'));
  repository = join(folder, 'served');
  const key = makeKey('lab');
  writeAptRepository(repository, [deb], key);
  server = createServer((request, response) => {
    serveStatic(repository)(request, response, () => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  apt = mkdtempSync(join(folder, 'apt-'));
  for (const name of ['lists/partial', 'cache/archives/partial', 'parts', 'downloaded']) {
    mkdirSync(join(apt, name), { recursive: true });
  }
  writeFileSync(join(apt, 'status'), '');
  trust(join(repository, aptKeyFile));
});
afterEach(() => program?.kill());
afterAll(() => {
  server?.close();
  if (debian.isTestMachine && existsSync('/var/lib/dpkg/info/lab-manager.list')) debian.apt('purge', 'lab-manager');
  rmSync(folder, { recursive: true, force: true });
});

/** @returns file of a private key that nobody else has */
function makeKey(name: string): string {
  const home = join(folder, `keys-${name}`);
  mkdirSync(home, { mode: 0o700 });
  const env = { ...process.env, GNUPGHOME: home };
  const gpg = (...args: string[]) =>
    execFileSync('gpg', ['--batch', '--passphrase', '', ...args], { env, stdio: 'pipe' });
  gpg('--quick-generate-key', `${name} <${name}@lab.example>`, 'ed25519', 'sign', 'never');
  gpg('--armor', '--output', join(folder, `${name}.asc`), '--export-secret-keys');
  execFileSync('gpgconf', ['--kill', 'all'], { env });
  return join(folder, `${name}.asc`);
}

/** Makes the repository apt's only one. @param key that its index must be signed with */
function trust(key: string): void {
  copyFileSync(key, join(apt, 'key.asc'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(apt, 'sources.list'), `deb [signed-by=${join(apt, 'key.asc')}] ${url} stable main\n`);
}

/** apt-get with folders of its own. @returns its exit code and what it prints */
async function aptGet(...args: readonly string[]): Promise<{ code: number; text: string }> {
  const options = {
    'Dir::Etc::SourceList': join(apt, 'sources.list'),
    'Dir::Etc::SourceParts': join(apt, 'parts'),
    'Dir::State::Lists': join(apt, 'lists'),
    'Dir::State::Status': join(apt, 'status'),
    'Dir::Cache': join(apt, 'cache'),
    'APT::Sandbox::User': 'root',
    'Acquire::Retries': '0',
  };
  const given = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const env = { ...process.env, LC_ALL: 'C', no_proxy: '127.0.0.1' };
  try {
    const { stdout, stderr } = await execute('apt-get', [...given, ...args], { env, cwd: join(apt, 'downloaded') });
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, text: `${stdout}${stderr}` };
  }
}

test('apt finds the package and downloads it as it was built', async () => {
  expect(await aptGet('update', '--error-on=any')).toMatchObject({ code: 0 });
  expect(await aptGet('download', 'lab-manager')).toMatchObject({ code: 0 });
  const [name = ''] = readdirSync(join(apt, 'downloaded'));
  expect(readFileSync(join(apt, 'downloaded', name)).equals(readFileSync(deb))).toBe(true);
});

test('the served folder contains neither the private key nor the database', () => {
  expect(readdirSync(repository).toSorted()).toEqual(['dists', aptKeyFile, 'pool']);
  expect(readFileSync(join(repository, aptKeyFile), 'utf8')).toMatch(/^-----BEGIN PGP PUBLIC KEY BLOCK-----/);
});

/** Changes a file of the repository for the time of `work`. */
async function tampered(file: string, change: (text: string) => string, work: () => Promise<void>): Promise<void> {
  const path = join(repository, file);
  const before = readFileSync(path);
  try {
    writeFileSync(path, change(before.toString('latin1')), 'latin1');
    await work();
  } finally {
    writeFileSync(path, before);
  }
}

test('apt refuses a changed index', async () => {
  const packages = 'dists/stable/main/binary-amd64/Packages';
  // The compressed one would be read in its place.
  cpSync(join(repository, `${packages}.gz`), join(folder, 'Packages.gz'));
  rmSync(join(repository, `${packages}.gz`));
  try {
    await tampered(
      packages,
      (text) => text.replace(/^Version: .*$/m, 'Version: 99.0'),
      async () => {
        const { code, text } = await aptGet('update', '--error-on=any');
        expect(code).toBe(100);
        expect(text).toMatch(/Hash Sum mismatch|File has unexpected size/);
      },
    );
  } finally {
    cpSync(join(folder, 'Packages.gz'), join(repository, `${packages}.gz`));
  }
});

test('apt refuses an index whose signature does not fit', async () => {
  await tampered(
    'dists/stable/InRelease',
    (text) => text.replace('Label: Lab Manager', 'Label: Lab Manages'),
    async () => {
      const { code, text } = await aptGet('update', '--error-on=any');
      expect(code).toBe(100);
      expect(text).toMatch(/BADSIG|invalid/);
    },
  );
});

test('apt refuses an index that is signed with another key', async () => {
  const other = makeKey('other');
  const elsewhere = join(folder, 'other');
  writeAptRepository(elsewhere, [], other);
  trust(join(elsewhere, aptKeyFile));
  const { code, text } = await aptGet('update', '--error-on=any');
  expect(code).toBe(100);
  expect(text).toContain('NO_PUBKEY');
});

test('apt refuses a changed package', async () => {
  const files = readdirSync(join(repository, 'pool'), { recursive: true, encoding: 'utf8' });
  const pool = files.find((file) => file.endsWith('.deb')) ?? '';
  expect(await aptGet('update', '--error-on=any')).toMatchObject({ code: 0 });
  await tampered(
    join('pool', pool),
    (text) => `${text.slice(0, -1)}X`,
    async () => {
      const { code, text } = await aptGet('download', 'lab-manager');
      expect(code).toBe(100);
      expect(text).toContain('Hash Sum mismatch');
    },
  );
});

test.runIf(debian.isTestMachine)('apt replaces an older version while its service runs', async () => {
  const older = debian.writeOlderPackage(deb);
  try {
    debian.apt('install', '--no-install-recommends', older);
  } finally {
    rmSync(older);
  }
  const port = await freePort();
  const env = plainEnvironment({ LAB_SERVER_URL: `http://127.0.0.1:${port}/`, HOME: apt, XDG_STATE_HOME: apt });
  program = startProgram(['/usr/bin/lab-manager', '--headless'], env);
  await until(program, '/health', () => answer(port, '/health'));
  // What is installed, and the packages of the system, are this machine's; the list is ours alone.
  copyFileSync('/var/lib/dpkg/status', join(apt, 'status'));
  expect(await aptGet('update', '--error-on=any')).toMatchObject({ code: 0 });
  expect(await aptGet('install', '--yes', '--only-upgrade', 'lab-manager')).toMatchObject({ code: 0 });
  const version = execFileSync('dpkg-query', ['--show', '--showformat=${Version}', 'lab-manager']).toString();
  expect(version).toBe(execFileSync('dpkg-deb', ['-f', deb, 'Version']).toString().trim());
  expect((await answer(port, '/lab_health/history'))?.body).toContain('"managers"');
  expect((await answer(port, '/help/'))?.type).toContain('text/html');
  expect((await program.end()).code).toBe(0);
});
