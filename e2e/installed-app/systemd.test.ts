/**
 * The service of the packages under systemd: its restrictions and restarts, and that it continues through an upgrade and a
 * replacement by the other package.
 */
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { packageHeadless } from '../../build/package/headless.mjs';
import * as debian from './debianPackage.ts';
import { findSystemdObstacle, SystemdMachine } from './systemd.ts';

const repository = resolve(import.meta.dirname, '..', '..');
const deb = process.env['LAB_MANAGER_DEB'] ?? '';
const unit = 'lab-manager.service';
const settingsFile = '/etc/lab-manager/lab.settings.yaml';
const settings = 'lab_manager_name: Bench 4\nlab_listen_port: 8010\n';
const olderVersion = '0.0.0';

describe.runIf(debian.isTestMachine)('the service under systemd', () => {
  const reason = debian.isTestMachine ? findSystemdObstacle() : null;
  let machine: SystemdMachine;
  let headless = '';
  let version = '';

  beforeAll(async () => {
    if (reason !== null) return;
    machine = await SystemdMachine.boot();
    headless = await packageHeadless(repository, process.arch, true);
    version = (JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }).version;
  });
  beforeEach(({ skip }) => skip(reason !== null, reason ?? ''));
  afterAll(() => machine?.stop());

  /** Installs a package as an unattended upgrade does: no user answers a prompt. */
  function install(file: string): void {
    const inside = join('/tmp', basename(file));
    cpSync(file, machine.path(inside));
    machine.run('apt-get', '--yes', '--no-install-recommends', 'install', inside);
    rmSync(machine.path(inside));
  }

  /** Installs a package of an older version with the same settings file. */
  function installOlder(): void {
    const older = debian.repack(headless, (stage) => {
      const file = join(stage, 'usr/lib/lab-manager/package.json');
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace(`"version": "${version}"`, `"version": "${olderVersion}"`));
      writeFileSync(join(stage, settingsFile), debian.settingsFileText);
    });
    try {
      install(older);
    } finally {
      rmSync(older);
    }
  }

  const state = () =>
    machine.run('systemctl', 'show', '--property=UnitFileState,ActiveState', unit).trim().split('\n').toSorted();
  const running = ['ActiveState=active', 'UnitFileState=enabled'];
  const mainProcess = () => machine.property(unit, 'MainPID');
  /** Returns the path of a file as the service's process sees it. */
  const seenByService = (path: string) => machine.path(join('/proc', mainProcess(), 'root', path));

  /** Returns the version of the running service, which has the settings in /etc. */
  function servedVersion(): string | null {
    const body = machine.fetch('http://127.0.0.1:8010/health');
    return body === null ? null : (JSON.parse(body) as { version: string }).version;
  }

  test('the installed service starts once it is enabled, and serves with the settings in /etc', () => {
    installOlder();
    expect(state()).toEqual(['ActiveState=inactive', 'UnitFileState=disabled']);
    writeFileSync(machine.path(settingsFile), settings);
    machine.run('systemctl', 'enable', '--now', unit);
    expect(state()).toEqual(running);
    expect(servedVersion()).toBe(olderVersion);
    expect(machine.run('lab-manager', '--ping')).toContain(':8010');
  });

  test('the restrictions of the unit apply to the process of the service', () => {
    const status = readFileSync(machine.path(`/proc/${mainProcess()}/status`), 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1];
    expect({ seccomp: field('Seccomp'), noNewPrivileges: field('NoNewPrivs') }).toEqual({
      seccomp: '2',
      noNewPrivileges: '1',
    });
    expect(Number.parseInt(field('CapBnd') ?? '', 16)).toBe(0);
    expect(() => writeFileSync(seenByService('/usr/file'), '')).toThrow('EROFS');
    expect(() => writeFileSync(seenByService('/etc/lab-manager/file'), '')).toThrow('EROFS');
    const stateFolder = statSync(seenByService('/var/lib/lab-manager'));
    expect(String(stateFolder.uid)).toBe(machine.run('id', '--user', 'lab-manager').trim());
    expect(String(stateFolder.uid)).toBe(field('Uid'));
    expect(machine.run('ls', '/var/lib/lab-manager')).toContain('history-8010.jsonl');
  });

  test('the service runs again after a restart, and systemd restarts it after its process was killed', async () => {
    const first = mainProcess();
    machine.run('systemctl', 'restart', unit);
    const second = mainProcess();
    expect(second).not.toBe(first);
    machine.run('systemctl', 'kill', '--kill-who=main', '--signal=SIGKILL', unit);
    await machine.until(
      'systemd restarted the service',
      () => machine.property(unit, 'NRestarts') === '1' && machine.isActive(unit),
    );
    expect(mainProcess()).not.toBe(second);
    expect(servedVersion()).toBe(olderVersion);
  });

  test('the diagnostics report a state folder that the service can’t write to, and their command permits it', () => {
    const check = () => machine.attempt('lab-manager', '--doctor').text.split('State and log can be written')[1] ?? '';
    const user = machine.run('id', '--user', 'lab-manager').trim();
    expect(check()).toMatch(new RegExp(`^ +The service can write them as user lab-manager \\(${user}\\)`));
    machine.run('chown', 'root:root', '/var/lib/lab-manager');
    const asService = ['setpriv', '--reuid=lab-manager', '--regid=lab-manager', '--clear-groups'];
    const token = [
      'env',
      'STATE_DIRECTORY=/var/lib/lab-manager',
      'lab-manager',
      '--token',
      'create',
      'a',
      '--role=viewer',
    ];
    expect(machine.attempt(...asService, ...token).text).toMatch(
      /users-8000\.json can't be written by user lab-manager \(\d+\): .* belongs to user root \(0\)\. Permit it: sudo chown/,
    );
    expect(check()).toContain(`state (/var/lib/lab-manager: /var/lib/lab-manager belongs to user root (0))`);
    const command = /Permit it: (.*)/.exec(check())?.[1]?.replaceAll('sudo ', '') ?? '';
    machine.run('sh', '-c', command);
    expect(check()).toContain('The service can write them');
  });

  test('the service still starts after the command of the diagnostics for settings with a secret', () => {
    const withSecret = `${settings}lab_notify_webhook_url: http://127.0.0.1:9/secret\n`;
    writeFileSync(machine.path(settingsFile), withSecret);
    const command = /chmod o-rwx.*|sudo chown root:lab-manager .*/.exec(
      machine.attempt('lab-manager', '--doctor').text,
    )?.[0];
    expect(command).toContain(`sudo chmod 640 ${settingsFile}`);
    machine.run('sh', '-c', (command ?? '').replaceAll('sudo ', ''));
    expect(machine.attempt('lab-manager', '--doctor').text).toContain('No other account can change settings or state');
    machine.run('systemctl', 'restart', unit);
    expect(machine.isActive(unit)).toBe(true);
    writeFileSync(machine.path(settingsFile), settings);
  });

  test('an unattended upgrade keeps edited settings, and the service runs with the new version', () => {
    install(headless);
    expect(state()).toEqual(running);
    expect(servedVersion()).toBe(version);
    expect(readFileSync(machine.path(settingsFile), 'utf8')).toBe(settings);
  });

  test('the service remains enabled and runs when the two packages replace each other', { timeout: 120_000 }, () => {
    for (const [file, program] of [
      [deb, '/opt/lab-manager/lab-manager'],
      [headless, '/usr/lib/lab-manager/bin/node'],
    ] as const) {
      install(file);
      expect(state()).toEqual(running);
      expect(servedVersion()?.startsWith(version)).toBe(true);
      expect(machine.run('readlink', `/proc/${mainProcess()}/exe`).trim().endsWith(program)).toBe(true);
    }
    expect(readFileSync(machine.path(settingsFile), 'utf8')).toBe(settings);
  });

  test('a purge ends the service, and leaves no file and no user', () => {
    machine.run('apt-get', '--yes', 'purge', 'lab-manager-headless', 'lab-manager');
    expect(machine.isActive(unit)).toBe(false);
    expect(machine.attempt('systemctl', 'is-enabled', unit).text).toMatch(/No such file|not-found/);
    expect(debian.leftovers(machine.path('/'))).toEqual([]);
    expect(debian.hasUser('lab-manager', machine.path('/'))).toBe(false);
    // systemd has never killed a service that did not stop in time.
    expect(machine.journal()).not.toContain('timed out');
  });
});
