/**
 * The Debian package of the service without a window: for arm64 its metadata, its files and its start under qemu; for
 * this machine's processor its installation and removal.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { packageHeadless } from '../../build/package/headless.mjs';
import { sourceDateEpoch } from '../../build/package/sourceDate.mjs';
import { fetchText, plainEnvironment, startProgram, waitFor, type Program } from '../support/desktop/program.ts';
import { pickFreePort } from '../support/managers.ts';
import { canRunArm64, writeArm64Root } from './arm64Root.ts';
import * as debian from './debianPackage.ts';
import { startAndEndUnit } from './unit.ts';

const repository = resolve(import.meta.dirname, '..', '..');
/** The number of the processor in the ELF header: EM_AARCH64. Source: elf(5) */
const arm64Machine = 183;
/** The timeout for the start in ms: an emulated processor is about twenty times slower. */
const emulatedMs = 50_000;

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'headless-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package for arm64', () => {
  let deb = '';
  let root = '';
  let program: Program | null = null;
  beforeAll(async () => {
    deb = await packageHeadless(repository, 'arm64', true);
    root = join(folder, 'root');
    execFileSync('dpkg', ['-x', deb, root]);
  });
  afterEach(() => program?.kill());

  const read = (path: string) => readFileSync(join(root, path), 'utf8');

  test('states its processor, its dependencies and that it replaces the package with a window', () => {
    const field = (name: string) => execFileSync('dpkg-deb', ['-f', deb, name]).toString().trim();
    expect(field('Package')).toBe('lab-manager-headless');
    expect(field('Architecture')).toBe('arm64');
    expect(field('Depends')).toMatch(/^libc6 \(>= 2\.\d+\), libgcc-s1, libstdc\+\+6, passwd$/);
    expect([field('Conflicts'), field('Replaces')]).toEqual(['lab-manager', 'lab-manager']);
    const node = readFileSync(join(root, 'usr/lib/lab-manager/bin/node'));
    expect(node.readUInt16LE(18)).toBe(arm64Machine);
  });

  test('depends on the package of every library that Node is linked to', () => {
    const needed = debian.linkedTo(join(root, 'usr/lib/lab-manager/bin/node'));
    const others = needed.filter((library) => !/^(lib(c|m|dl|pthread)\.so|ld-linux)/.test(library));
    expect(others.toSorted()).toEqual(['libgcc_s.so.1', 'libstdc++.so.6']);
  });

  test('contains the start file, the unit, the settings file, the terms and the bill of materials', () => {
    expect(read('usr/bin/lab-manager').split('\n')[0]).toBe('#!/usr/lib/lab-manager/bin/node');
    const unit = join(root, 'usr/lib/systemd/system/lab-manager.service');
    expect(debian.readValue(unit, 'ExecStart')).toBe('/usr/bin/lab-manager --headless');
    expect(execFileSync('dpkg-deb', ['-I', deb, 'conffiles']).toString()).toBe('/etc/lab-manager/lab.settings.yaml\n');
    expect(read('etc/lab-manager/lab.settings.yaml')).toBe(debian.settingsFileText);
    const documents = 'usr/share/doc/lab-manager-headless';
    expect(read(`${documents}/lab.settings.yaml`)).toMatch(/^# lab_server_url:/m);
    expect(read(`${documents}/copyright`)).toContain(`/${documents}/copyright.node`);
    expect(read(`${documents}/copyright.node`)).toContain('Node.js is licensed');
    const { components } = JSON.parse(read(`${documents}/sbom.cdx.json`)) as { components: { name: string }[] };
    expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(['express', 'node', 'vue']));
    const files = execFileSync('dpkg-deb', ['-c', deb]).toString();
    expect(files).not.toMatch(/dist\/(electron|shell)\/|\.map$/m);
  });

  test.skipIf(sourceDateEpoch(repository) === null)(
    'is the same when it is built again with another umask',
    async () => {
      const first = readFileSync(deb);
      const umask = process.umask(0o077);
      try {
        await packageHeadless(repository, 'arm64', true);
      } finally {
        process.umask(umask);
      }
      expect(readFileSync(deb).equals(first)).toBe(true);
    },
  );

  test.runIf(canRunArm64)(
    'runs the service on an emulated processor, and ends with code 0',
    { timeout: 120_000 },
    async () => {
      await writeArm64Root(root, ['libc6', 'libgcc-s1', 'libstdc++6']);
      const port = await pickFreePort();
      const home = join(folder, 'home');
      const env = plainEnvironment({
        HOME: home,
        STATE_DIRECTORY: home,
        LAB_LISTEN_HOST: '127.0.0.1',
        LAB_SERVER_URL: `http://127.0.0.1:${port}/`,
      });
      const service = join(root, 'usr/lib/lab-manager');
      const command = [join(service, 'bin/node'), join(service, 'dist/server/main.js'), '--headless'];
      program = startProgram(['qemu-aarch64-static', '-L', root, ...command], env);
      const health = await waitFor(program, '/health', () => fetchText(port, '/health'), emulatedMs);
      expect(JSON.parse(health.body)).toMatchObject({
        healthy: true,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      });
      const page = await waitFor(program, 'the dashboard', () => fetchText(port, '/'), emulatedMs);
      expect(page.body).toContain('<div id="app">');
      expect(await program.end()).toBe(0);
    },
  );
});

describe.runIf(debian.isTestMachine)('the installed package for this machine', () => {
  let home = '';
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'unit-'));
    debian.apt('install', '--no-install-recommends', await packageHeadless(repository, process.arch, true));
  }, 300_000);
  afterAll(() => {
    debian.remove(debian.headlessPaths);
    rmSync(home, { recursive: true, force: true });
  });

  test('prints its version, and its unit runs as a user of its own and notifies systemd', async () => {
    expect(execFileSync('lab-manager', ['--version']).toString()).toMatch(/^\d+\.\d+\.\d+/);
    const { messages } = await startAndEndUnit(debian.headlessPaths, home);
    expect(messages).toEqual(['READY=1', 'STOPPING=1']);
  });

  test('leaves settings and state when it is removed, and nothing after a purge', () => {
    debian.apt('remove', 'lab-manager-headless');
    expect(debian.leftovers()).toEqual(['/etc/lab-manager', '/var/lib/lab-manager']);
    debian.apt('purge', 'lab-manager-headless');
    expect(debian.leftovers()).toEqual([]);
    expect(debian.hasUser('lab-manager')).toBe(false);
  });
});
