import { expect, it } from 'vitest';
import { autostartEntry, ownCommand, readAutostart, wantedEntry } from './autostartEntry.ts';

const exec = (entry: string) => /^Exec=(.*)$/m.exec(entry)?.[1];

it.each([
  ['plain', ['/opt/lab-manager/launcher.sh'], '/opt/lab-manager/launcher.sh'],
  ['a space', ['/opt/Lab Manager/x'], '"/opt/Lab Manager/x"'],
  ['what a shell would take', ['/a$b`c"d'], '"/a\\\\$b\\\\`c\\\\"d"'],
  ['a backslash', ['/a\\b c'], '"/a\\\\\\\\b c"'],
  ['a field code', ['/100%/x'], '/100%%/x'],
])('%s in the program’s path', (_name, command, written) => {
  expect(exec(autostartEntry(command, false))).toBe(written);
  expect(readAutostart(autostartEntry(command, true))).toEqual({ on: true, hidden: true, program: command[0] });
});

it.each([
  ['no file', null, false],
  ['ours', autostartEntry(['/x'], false), true],
  ['switched off by the desktop', `${autostartEntry(['/x'], false)}Hidden=true\n`, false],
  ['switched off by GNOME', '[Desktop Entry]\nExec=/x\nX-GNOME-Autostart-enabled=false\n', false],
  ['nothing to start', '[Desktop Entry]\nType=Application\n', false],
])('%s', (_name, text, on) => {
  expect(readAutostart(text)).toMatchObject({ on, hidden: false });
});

const started = { execPath: '/opt/x/lab-manager', appImage: undefined, appPath: null, launcher: null, userDataDir: '' };
it.each([
  ['an installed package, by its launcher', { launcher: '/opt/x/launcher.sh' }, ['/opt/x/launcher.sh']],
  [
    'an AppImage, by its file and not by where it is mounted',
    { appImage: '/home/u/Lab.AppImage' },
    ['/home/u/Lab.AppImage'],
  ],
  ['a clone', { execPath: '/e/electron', appPath: '/repo' }, ['/e/electron', '/repo']],
  ['a profile of its own', { userDataDir: '/tmp/p' }, ['/opt/x/lab-manager', '--user-data-dir=/tmp/p']],
])('%s', (_name, how, command) => {
  expect(ownCommand({ ...started, ...how })).toEqual(command);
});

const ours = { on: true, note: null };
const off = { on: false, note: null };
const another = { on: true, note: 'It starts another copy' };
it.each([
  ['on', true, undefined, off, true],
  ['off', false, undefined, ours, false],
  ['on, of another copy: becomes ours', true, undefined, another, true],
  ['off, of another copy', false, true, another, false],
  ['hidden, with an entry of ours', undefined, true, ours, true],
  ['not hidden any more', undefined, false, ours, true],
  ['hidden, without an entry', undefined, true, off, null],
  ['hidden, with another copy’s entry', undefined, true, another, null],
  ['something else', undefined, undefined, ours, null],
])('start at login is changed: %s', (_name, startAtLogin, startHidden, now, wanted) => {
  expect(wantedEntry(startAtLogin, startHidden, now)).toBe(wanted);
});
