/**
 * The apt repository: apt installs the packages from a web server, and refuses everything that the signature does not cover.
 */
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
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import serveStatic from 'serve-static';
import { parse } from 'yaml';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { aptKeyFile, writeAptRepository } from '../../build/package/aptRepository.mjs';
import { packageHeadless } from '../../build/package/headless.mjs';
import { writeUpdateList } from '../../build/package/updateList.mjs';
import { fetchText, plainEnvironment, startProgram, waitFor, type Program } from '../support/desktop/program.ts';
import { pickFreePort } from '../support/managers.ts';
import * as debian from './debianPackage.ts';
import { privateApt, type PrivateApt } from './privateApt.ts';

const deb = process.env['LAB_MANAGER_DEB'] ?? '';
const project = join(import.meta.dirname, '..', '..');
const headless = 'lab-manager-headless';

/** The packages of the service by Debian's name of their processor. */
let headlessDebs: Readonly<Record<'amd64' | 'arm64', string>>;
let folder = '';
let repository = '';
let server: Server;
let apt: PrivateApt;
let program: Program | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'repository-'));
  repository = join(folder, 'served');
  const key = makeKey('lab');
  headlessDebs = {
    amd64: await packageHeadless(project, 'x64', true),
    arm64: await packageHeadless(project, 'arm64', true),
  };
  writeAptRepository(repository, [deb, ...Object.values(headlessDebs)], key);
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
  for (const name of debian.isTestMachine ? ['lab-manager', headless] : []) {
    if (existsSync(`/var/lib/dpkg/info/${name}.list`)) debian.apt('purge', name);
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Creates a private key. @returns its file */
function makeKey(name: string, { passphrase = '', expires = 'never' } = {}): string {
  const home = join(folder, `keys-${name}`);
  mkdirSync(home, { mode: 0o700 });
  const env = { ...process.env, GNUPGHOME: home };
  const past = expires === 'never' ? [] : ['--faked-system-time', '20200101T000000'];
  const gpg = (...args: string[]) =>
    execFileSync('gpg', [...past, '--batch', '--pinentry-mode', 'loopback', '--passphrase', passphrase, ...args], {
      env,
      stdio: 'pipe',
    });
  gpg('--quick-generate-key', `${name} <${name}@lab.example>`, 'ed25519', 'sign', expires);
  gpg('--armor', '--output', join(folder, `${name}.asc`), '--export-secret-keys');
  execFileSync('gpgconf', ['--kill', 'all'], { env });
  return join(folder, `${name}.asc`);
}

function repositoryUrl(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Creates an apt whose only source is the repository. @param key with which its index must be signed */
function aptTrusting(key: string, architecture?: string): PrivateApt {
  return privateApt(`deb [signed-by=${key}] ${repositoryUrl()} stable main`, architecture);
}

/** Downloads a package with apt. @returns its content */
async function download(from: PrivateApt, name: string): Promise<Buffer> {
  expect(await from.run('update', '--error-on=any')).toMatchObject({ code: 0 });
  expect(await from.run('download', name)).toMatchObject({ code: 0 });
  const [file = ''] = readdirSync(from.downloads);
  return readFileSync(join(from.downloads, file));
}

test('apt finds the package and downloads it as it was built', async () => {
  expect((await download(apt, 'lab-manager')).equals(readFileSync(deb))).toBe(true);
});

test.each(['amd64', 'arm64'] as const)('apt of an %s machine finds the service without a window', async (processor) => {
  const machine = aptTrusting(join(repository, aptKeyFile), processor);
  try {
    const content = await download(machine, headless);
    expect(content.equals(readFileSync(headlessDebs[processor]))).toBe(true);
  } finally {
    rmSync(machine.folder, { recursive: true, force: true });
  }
});

test('an expired key and a key with a passphrase are rejected with their file, and the former repository remains', () => {
  const copy = join(folder, 'copy');
  cpSync(repository, copy, { recursive: true });
  const before = readdirSync(copy, { recursive: true }).toSorted();
  const locked = makeKey('locked', { passphrase: 'secret' });
  expect(() => writeAptRepository(copy, [deb], locked)).toThrow(`the key in ${locked} has a passphrase. Remove it:`);
  // gpg creates the key in the past, so that it has expired now.
  const expired = makeKey('expired', { expires: '20200102T000000' });
  expect(() => writeAptRepository(copy, [deb], expired)).toThrow(`the key in ${expired} expired on 2020-01-02.`);
  expect(() => writeAptRepository(copy, [join(folder, 'missing.deb')], makeKey('good'))).toThrow('reprepro failed');
  expect(readdirSync(copy, { recursive: true }).toSorted()).toEqual(before);
  expect(readdirSync(folder).filter((name) => name.startsWith('.apt-'))).toEqual([]);
});

test('the served folder contains neither the private key nor the database', () => {
  expect(readdirSync(repository).toSorted()).toEqual(['dists', aptKeyFile, 'pool']);
  expect(readFileSync(join(repository, aptKeyFile), 'utf8')).toMatch(/^-----BEGIN PGP PUBLIC KEY BLOCK-----/);
});

test('the repository and the update feed can share a folder', async () => {
  const file = basename(deb);
  const version = file.split('_')[1] ?? '';
  copyFileSync(deb, join(repository, file));
  const list = await writeUpdateList(repository, version);
  try {
    const response = await fetch(`${repositoryUrl()}/latest-linux.yml`);
    expect(parse(await response.text())).toMatchObject({ version, files: [{ url: file, size: statSync(deb).size }] });
    const { headers } = await fetch(`${repositoryUrl()}/${file}`, { method: 'HEAD' });
    expect(Number(headers.get('content-length'))).toBe(statSync(deb).size);
    expect(await apt.run('update', '--error-on=any')).toMatchObject({ code: 0 });
  } finally {
    for (const path of [join(repository, file), list]) if (path !== null) rmSync(path);
  }
});

/** Changes a file of the repository while `work` runs. */
async function withChangedFile(
  file: string,
  change: (text: string) => string,
  work: () => Promise<void>,
): Promise<void> {
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
  // apt would read the compressed index instead.
  cpSync(join(repository, `${packages}.gz`), join(folder, 'Packages.gz'));
  rmSync(join(repository, `${packages}.gz`));
  try {
    await withChangedFile(
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
  await withChangedFile(
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
  const otherKey = makeKey('other');
  const otherRepository = join(folder, 'other');
  writeAptRepository(otherRepository, [], otherKey);
  const aptWithOtherKey = aptTrusting(join(otherRepository, aptKeyFile));
  const { code, text } = await aptWithOtherKey.run('update', '--error-on=any');
  rmSync(aptWithOtherKey.folder, { recursive: true, force: true });
  expect(code).toBe(100);
  expect(text).toContain('NO_PUBKEY');
});

test('apt refuses a changed package', async () => {
  const files = readdirSync(join(repository, 'pool'), { recursive: true, encoding: 'utf8' });
  const pool = files.find((file) => /lab-manager_[^/]*\.deb$/.test(file)) ?? '';
  expect(await apt.run('update', '--error-on=any')).toMatchObject({ code: 0 });
  await withChangedFile(
    join('pool', pool),
    (text) => `${text.slice(0, -1)}X`,
    async () => {
      const { code, text } = await apt.run('download', 'lab-manager');
      expect(code).toBe(100);
      expect(text).toContain('Hash Sum mismatch');
    },
  );
});

function installedVersion(name: string): string {
  return execFileSync('dpkg-query', ['--show', '--showformat=${Version}', name]).toString();
}

function readVersion(file: string): string {
  return execFileSync('dpkg-deb', ['-f', file, 'Version']).toString().trim();
}

test.runIf(debian.isTestMachine)('apt replaces an older version while its service runs', async () => {
  const older = debian.writeOlderPackage(deb);
  try {
    debian.apt('install', '--no-install-recommends', older);
  } finally {
    rmSync(older);
  }
  const port = await pickFreePort();
  const env = plainEnvironment({ LAB_SERVER_URL: `http://127.0.0.1:${port}/`, HOME: folder, XDG_STATE_HOME: folder });
  program = startProgram(['/usr/bin/lab-manager', '--headless'], env);
  await waitFor(program, '/health', () => fetchText(port, '/health'));
  // The installed packages and those of the system are this machine's; the list of packages is this test's own.
  copyFileSync('/var/lib/dpkg/status', apt.status);
  expect(await apt.run('update', '--error-on=any')).toMatchObject({ code: 0 });
  expect(await apt.run('install', '--yes', '--only-upgrade', 'lab-manager')).toMatchObject({ code: 0 });
  expect(installedVersion('lab-manager')).toBe(readVersion(deb));
  expect((await fetchText(port, '/lab_health/history'))?.body).toContain('"managers"');
  expect((await fetchText(port, '/help/'))?.type).toContain('text/html');
  expect(await program.end()).toBe(0);
});

test.runIf(debian.isTestMachine)('apt installs the service without a window, which then serves', async () => {
  copyFileSync('/var/lib/dpkg/status', apt.status);
  expect(await apt.run('update', '--error-on=any')).toMatchObject({ code: 0 });
  expect(await apt.run('install', '--yes', headless)).toMatchObject({ code: 0 });
  expect(installedVersion(headless)).toBe(readVersion(headlessDebs.amd64));
  const port = await pickFreePort();
  const env = plainEnvironment({ LAB_SERVER_URL: `http://127.0.0.1:${port}/`, HOME: folder, XDG_STATE_HOME: folder });
  program = startProgram(['/usr/bin/lab-manager', '--headless'], env);
  await waitFor(program, '/health', () => fetchText(port, '/health'));
  expect((await fetchText(port, '/'))?.body).toContain('<div id="app">');
  expect(await program.end()).toBe(0);
});
