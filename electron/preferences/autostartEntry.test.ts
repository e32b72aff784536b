import { expect, it } from 'vitest';
import { createAutostartEntry, restartCommand, readAutostart, shouldHaveEntry } from './autostartEntry.ts';

const execLine = (entry: string) => /^Exec=(.*)$/m.exec(entry)?.[1];

it.each([
  ['plain characters', ['/opt/lab-manager/launcher.sh'], '/opt/lab-manager/launcher.sh'],
  ['a space', ['/opt/Lab Manager/x'], '"/opt/Lab Manager/x"'],
  ['shell characters', ['/a$b`c"d'], '"/a\\\\$b\\\\`c\\\\"d"'],
  ['a backslash', ['/a\\b c'], '"/a\\\\\\\\b c"'],
  ['a field code', ['/100%/x'], '/100%%/x'],
])('an autostart entry keeps %s in the program’s path', (_name, command, savedCommand) => {
  expect(execLine(createAutostartEntry(command, false))).toBe(savedCommand);
  expect(readAutostart(createAutostartEntry(command, true))).toEqual({ on: true, hidden: true, program: command[0] });
});

it.each([
  ['a missing file', null, false],
  ['our own entry', createAutostartEntry(['/x'], false), true],
  ['an entry that the desktop switched off', `${createAutostartEntry(['/x'], false)}Hidden=true\n`, false],
  ['an entry that GNOME switched off', '[Desktop Entry]\nExec=/x\nX-GNOME-Autostart-enabled=false\n', false],
  ['an entry without a program', '[Desktop Entry]\nType=Application\n', false],
])('readAutostart parses %s', (_name, text, on) => {
  expect(readAutostart(text)).toMatchObject({ on, hidden: false });
});

const runningCopy = {
  execPath: '/opt/x/lab-manager',
  appImage: undefined,
  appPath: null,
  launcher: null,
  userDataDir: '',
};
it.each([
  ['an installed package, by its launcher', { launcher: '/opt/x/launcher.sh' }, ['/opt/x/launcher.sh']],
  [
    'an AppImage, by its file instead of its mount point',
    { appImage: '/home/u/Lab.AppImage' },
    ['/home/u/Lab.AppImage'],
  ],
  ['a clone', { execPath: '/e/electron', appPath: '/repo' }, ['/e/electron', '/repo']],
  ['a separate profile', { userDataDir: '/tmp/p' }, ['/opt/x/lab-manager', '--user-data-dir=/tmp/p']],
])('restartCommand returns the command of %s', (_name, changes, command) => {
  expect(restartCommand({ ...runningCopy, ...changes })).toEqual(command);
});

const ownEntry = { on: true, note: null };
const noEntry = { on: false, note: null };
const otherCopyEntry = { on: true, note: 'It starts another copy' };
it.each([
  ['on', true, undefined, noEntry, true],
  ['off', false, undefined, ownEntry, false],
  ['on, with an entry of another copy, which is replaced', true, undefined, otherCopyEntry, true],
  ['off, with an entry of another copy', false, true, otherCopyEntry, false],
  ['hidden, with our own entry', undefined, true, ownEntry, true],
  ['no longer hidden', undefined, false, ownEntry, true],
  ['hidden, without an entry', undefined, true, noEntry, null],
  ['hidden, with another copy’s entry', undefined, true, otherCopyEntry, null],
  ['another preference', undefined, undefined, ownEntry, null],
])('shouldHaveEntry returns $4 after the change “%s”', (_name, startAtLogin, startHidden, current, expected) => {
  expect(shouldHaveEntry(startAtLogin, startHidden, current)).toBe(expected);
});
