import { expect, it } from 'vitest';
import { autostartEntry, ownCommand, readAutostart, autostartEntryFor } from './autostartEntry.ts';

const exec = (entry: string) => /^Exec=(.*)$/m.exec(entry)?.[1];

it.each([
  ['plain characters', ['/opt/lab-manager/launcher.sh'], '/opt/lab-manager/launcher.sh'],
  ['a space', ['/opt/Lab Manager/x'], '"/opt/Lab Manager/x"'],
  ['shell characters', ['/a$b`c"d'], '"/a\\\\$b\\\\`c\\\\"d"'],
  ['a backslash', ['/a\\b c'], '"/a\\\\\\\\b c"'],
  ['a field code', ['/100%/x'], '/100%%/x'],
])('an autostart entry keeps %s in the program’s path', (_name, command, written) => {
  expect(exec(autostartEntry(command, false))).toBe(written);
  expect(readAutostart(autostartEntry(command, true))).toEqual({ on: true, hidden: true, program: command[0] });
});

it.each([
  ['a missing file', null, false],
  ['our own entry', autostartEntry(['/x'], false), true],
  ['an entry that the desktop switched off', `${autostartEntry(['/x'], false)}Hidden=true\n`, false],
  ['an entry that GNOME switched off', '[Desktop Entry]\nExec=/x\nX-GNOME-Autostart-enabled=false\n', false],
  ['an entry without a program', '[Desktop Entry]\nType=Application\n', false],
])('readAutostart reads %s', (_name, text, on) => {
  expect(readAutostart(text)).toMatchObject({ on, hidden: false });
});

const started = { execPath: '/opt/x/lab-manager', appImage: undefined, appPath: null, launcher: null, userDataDir: '' };
it.each([
  ['an installed package, by its launcher', { launcher: '/opt/x/launcher.sh' }, ['/opt/x/launcher.sh']],
  [
    'an AppImage, by its file instead of its mount point',
    { appImage: '/home/u/Lab.AppImage' },
    ['/home/u/Lab.AppImage'],
  ],
  ['a clone', { execPath: '/e/electron', appPath: '/repo' }, ['/e/electron', '/repo']],
  ['a separate profile', { userDataDir: '/tmp/p' }, ['/opt/x/lab-manager', '--user-data-dir=/tmp/p']],
])('ownCommand returns the command of %s', (_name, how, command) => {
  expect(ownCommand({ ...started, ...how })).toEqual(command);
});

const ours = { on: true, note: null };
const off = { on: false, note: null };
const another = { on: true, note: 'It starts another copy' };
it.each([
  ['on', true, undefined, off, true],
  ['off', false, undefined, ours, false],
  ['on, with an entry of another copy, which is replaced', true, undefined, another, true],
  ['off, with an entry of another copy', false, true, another, false],
  ['hidden, with our own entry', undefined, true, ours, true],
  ['no longer hidden', undefined, false, ours, true],
  ['hidden, without an entry', undefined, true, off, null],
  ['hidden, with another copy’s entry', undefined, true, another, null],
  ['another preference', undefined, undefined, ours, null],
])('autostartEntryFor changes start at login: %s', (_name, startAtLogin, startHidden, now, requested) => {
  expect(autostartEntryFor(startAtLogin, startHidden, now)).toBe(requested);
});
