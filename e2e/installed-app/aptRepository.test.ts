/** The apt repository: apt installs the package from a web server, and refuses whatever the signature does not cover. */
import { execFileSync } from 'node:child_process';
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
import serveStatic from 'serve-static';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { aptKeyFile, writeAptRepository } from '../../build/package/aptRepository.mjs';
import { answer, freePort, plainEnvironment, startProgram, until, type Program } from '../support/desktop/program.ts';
import * as debian from './debianPackage.ts';
import { privateApt, type PrivateApt } from './privateApt.ts';

const deb = process.env['LAB_MANAGER_DEB'] ?? '';

let folder = '';
let repository = '';
let server: Server;
let apt: PrivateApt;
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
beforeEach(() => void (apt = aptTrusting(join(repository, aptKeyFile))));
afterEach(() => {
  program?.kill();
  rmSync(apt.folder, { recursive: true, force: true });
});
afterAll(() => {
  server?.close();
  if (debian.isTestMachine && existsSync('/var/lib/dpkg/info/lab-manager.list')) debian.apt('purge', 'lab-manager');
  rmSync(folder, { recursive: true, force: true });
});

/** @returns file of a new private key */
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

/** An apt whose only source is the repository. @param key that its index must be signed with */
function aptTrusting(key: string): PrivateApt {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return privateApt(`deb [signed-by=${key}] ${url} stable main`);
}

test('apt finds the package and downloads it as it was built', async () => {
  expect(await apt.run('update', '--error-on=any')).toMatchObject({ code: 0 });
  expect(await apt.run('download', 'lab-manager')).toMatchObject({ code: 0 });
  const [name = ''] = readdirSync(apt.downloads);
  expect(readFileSync(join(apt.downloads, name)).equals(readFileSync(deb))).toBe(true);
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
        const { code, text } = await apt.run('update', '--error-on=any');
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
      const { code, text } = await apt.run('update', '--error-on=any');
      expect(code).toBe(100);
      expect(text).toMatch(/BADSIG|invalid/);
    },
  );
});

test('apt refuses an index that is signed with another key', async () => {
  const other = makeKey('other');
  const otherRepository = join(folder, 'other');
  writeAptRepository(otherRepository, [], other);
  const distrusting = aptTrusting(join(otherRepository, aptKeyFile));
  const { code, text } = await distrusting.run('update', '--error-on=any');
  rmSync(distrusting.folder, { recursive: true, force: true });
  expect(code).toBe(100);
  expect(text).toContain('NO_PUBKEY');
});

test('apt refuses a changed package', async () => {
  const files = readdirSync(join(repository, 'pool'), { recursive: true, encoding: 'utf8' });
  const pool = files.find((file) => file.endsWith('.deb')) ?? '';
  expect(await apt.run('update', '--error-on=any')).toMatchObject({ code: 0 });
  await tampered(
    join('pool', pool),
    (text) => `${text.slice(0, -1)}X`,
    async () => {
      const { code, text } = await apt.run('download', 'lab-manager');
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
  const env = plainEnvironment({ LAB_SERVER_URL: `http://127.0.0.1:${port}/`, HOME: folder, XDG_STATE_HOME: folder });
  program = startProgram(['/usr/bin/lab-manager', '--headless'], env);
  await until(program, '/health', () => answer(port, '/health'));
  // What is installed, and the packages of the system, are this machine's; the list is ours alone.
  copyFileSync('/var/lib/dpkg/status', apt.status);
  expect(await apt.run('update', '--error-on=any')).toMatchObject({ code: 0 });
  expect(await apt.run('install', '--yes', '--only-upgrade', 'lab-manager')).toMatchObject({ code: 0 });
  const version = execFileSync('dpkg-query', ['--show', '--showformat=${Version}', 'lab-manager']).toString();
  expect(version).toBe(execFileSync('dpkg-deb', ['-f', deb, 'Version']).toString().trim());
  expect((await answer(port, '/lab_health/history'))?.body).toContain('"managers"');
  expect((await answer(port, '/help/'))?.type).toContain('text/html');
  expect((await program.end()).code).toBe(0);
});
