/**
 * Runs the package's systemd unit without systemd: its command as its user, with the unit's restrictions, and its
 * messages to systemd.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fetchText, startProgram, waitFor, waitForProcessesToEnd } from '../support/desktop/program.ts';
import { pickFreePort } from '../support/managers.ts';
import { isTestMachine, readValue, type PackagePaths } from './debianPackage.ts';

interface UnitRun {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The service's state directory. */
  readonly state: string;
  /** The messages sent to systemd so far. */
  messages(): string[];
}

/**
 * Starts the command of the unit with the settings in /etc, and ends it.
 * @param home replaces the service's state directory on a machine without an installation
 * @param prefix a command that runs the unit's command
 */
export async function startAndEndUnit(
  paths: PackagePaths,
  home: string,
  prefix: readonly string[] = [],
): Promise<{ state: string; messages: string[] }> {
  const port = await pickFreePort();
  const unit = prepareUnitRun(paths, home);
  expect(`${unit.env['MADSCI_SETTINGS_DIR']}/lab.settings.yaml`).toBe(paths.settingsFile);
  writeFileSync(paths.settingsFile, `lab_listen_port: ${port}\nlab_listen_host: 127.0.0.1\n`);
  const program = startProgram([...prefix, ...unit.command], unit.env, unit.state);
  try {
    const context = await waitFor(program, '/context', () => fetchText(port, '/context'));
    expect(JSON.parse(context.body)).toHaveProperty('event_server_url');
    await waitFor(program, 'a message to systemd', async () => (unit.messages().length > 0 ? true : null));
    expect(await program.end()).toBe(0);
    await waitForProcessesToEnd(program);
  } finally {
    program.kill();
  }
  return { state: unit.state, messages: unit.messages() };
}

/** @param home replaces the service's state directory on a machine without an installation */
function prepareUnitRun(paths: PackagePaths, home: string): UnitRun {
  const [variable = '', settingsDir = ''] = readValue(paths.unitFile, 'Environment').split('=');
  const [, ...args] = readValue(paths.unitFile, 'ExecStart').split(' ');
  const state = stateDirectory(paths, home);
  const messageFile = join(state, 'messages');
  return {
    command: [...asUnitUser(paths), paths.launcher, ...args],
    env: {
      PATH: `${writeNotifier(home, messageFile)}:/usr/sbin:/usr/bin:/sbin:/bin`,
      HOME: state,
      NOTIFY_SOCKET: '/run/systemd/notify',
      [variable]: `${paths.root}${settingsDir}`,
    },
    state,
    messages: () => (existsSync(messageFile) ? readFileSync(messageFile, 'utf8').trim().split('\n') : []),
  };
}

export function unitUser(paths: PackagePaths): string {
  return readValue(paths.unitFile, 'User');
}

/** Creates the state directory, as systemd does before it starts the unit. */
function stateDirectory(paths: PackagePaths, home: string): string {
  if (!isTestMachine) return home;
  const state = join('/var/lib', readValue(paths.unitFile, 'StateDirectory'));
  mkdirSync(state, { recursive: true });
  execFileSync('chown', [`${unitUser(paths)}:${readValue(paths.unitFile, 'Group')}`, state]);
  return state;
}

/**
 * Returns a command that runs another command as the unit's user, without capabilities and without the possibility to gain
 * privileges.
 */
function asUnitUser(paths: PackagePaths): string[] {
  if (!isTestMachine) return [];
  const ids = [`--reuid=${unitUser(paths)}`, `--regid=${readValue(paths.unitFile, 'Group')}`, '--init-groups'];
  return ['setpriv', ...ids, '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'];
}

/** Writes a replacement for systemd-notify that records its messages. @returns its directory */
function writeNotifier(home: string, messageFile: string): string {
  const directory = join(home, 'bin');
  mkdirSync(directory, { recursive: true });
  execFileSync('chmod', ['a+rx', home]);
  writeFileSync(join(directory, 'systemd-notify'), `#!/bin/sh\necho "$*" >> '${messageFile}'\n`, { mode: 0o755 });
  return directory;
}
