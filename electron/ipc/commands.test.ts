import { describe, expect, it } from 'vitest';
import { mayCommand, pageCommand, windowCommands, type PageCommand } from './commands.ts';

const accountsCommand = (request: unknown) => ({ command: 'accounts', request });
const settingsCommand = (request: unknown) => ({ command: 'settings', request });

describe('pageCommand', () => {
  it.each<[string, unknown, boolean]>([
    ['the list of settings', settingsCommand({ kind: 'list' }), true],
    [
      'a change of settings',
      settingsCommand({ kind: 'plan', changes: { log_level: 'DEBUG', cors_allowed_origins: ['*'], verbose: null } }),
      true,
    ],
    ['a number instead of text', settingsCommand({ kind: 'plan', changes: { listen_port: 80 } }), false],
    [
      'a value that is too long for a setting',
      settingsCommand({ kind: 'check', name: 'x', input: 'x'.repeat(10_001) }),
      false,
    ],
    ['a plan with an invalid number', settingsCommand({ kind: 'save', plan: '1' }), false],
    ['an unknown request', settingsCommand({ kind: 'write', path: '/etc/passwd', text: '' }), false],
    [
      'a new user',
      accountsCommand({ kind: 'add-user', name: 'ann', role: 'viewer', password: 'a long password' }),
      true,
    ],
    ['an unknown role', accountsCommand({ kind: 'set-role', name: 'ann', role: 'root' }), false],
    ['a hash instead of a password', accountsCommand({ kind: 'set-password', name: 'ann', hash: 'scrypt:…' }), false],
    ['a long password', accountsCommand({ kind: 'set-password', name: 'ann', password: 'x'.repeat(1025) }), false],
    ['a path of the users file', accountsCommand({ kind: 'write', path: '/etc/passwd' }), false],
    ['a preference', { command: 'prefer', changes: { theme: 'dark' } }, true],
    ['a preference that is not the window’s', { command: 'prefer', changes: { labFolder: '/' } }, false],
    ['an unknown theme', { command: 'prefer', changes: { theme: 'pink' } }, false],
    ['a stored choice', { command: 'forget', choice: 'window' }, true],
    ['a choice that can’t be reset', { command: 'forget', choice: 'follow' }, false],
    ['a mute until a time', { command: 'set-mute', key: 'node arm', until: 1 }, true],
    ['a mute from a menu', { command: 'set-mute', key: null, until: 'tomorrow' }, true],
    ['an unknown end of a mute', { command: 'set-mute', key: null, until: 'next year' }, false],
    ['a menu-only command', { command: 'open-page', path: '/' }, false],
    ['an empty command', { request: 'state' }, false],
  ])('accepts %s: $2', (_name, command, isAccepted) => {
    expect(pageCommand.safeParse(command).success).toBe(isAccepted);
  });
});

describe('mayCommand', () => {
  it.each<[keyof typeof windowCommands | null, PageCommand, boolean]>([
    ['main', { command: 'safety-stop' }, true],
    ['main', { command: 'connect', url: 'http://lab-pc:8000/' }, true],
    ['main', { command: 'prefer', changes: {} }, false],
    ['main', { command: 'settings', request: { kind: 'list' } }, false],
    ['main', { command: 'accounts', request: { kind: 'list' } }, false],
    ['demo', { command: 'accounts', request: { kind: 'list' } }, false],
    ['settings', { command: 'accounts', request: { kind: 'list' } }, true],
    ['main', { command: 'open-setting-file', name: 'log_level' }, false],
    ['settings', { command: 'prefer', changes: {} }, true],
    ['settings', { command: 'connect', url: 'http://lab-pc:8000/' }, false],
    ['logs', { command: 'log-newer' }, true],
    ['about', { command: 'log-newer' }, false],
    ['about', { command: 'safety-stop' }, true],
    ['demo', { command: 'restart-service' }, true],
    ['demo', { command: 'safety-stop' }, false],
    ['demo', { command: 'release-stop' }, false],
    ['demo', { command: 'check-now' }, false],
    [null, { command: 'state' }, false],
  ])('is $2 for the window %s and the command %j', (window, command, isAllowed) => {
    expect(mayCommand(window, command)).toBe(isAllowed);
  });

  it('allows each page command to at least one window', () => {
    const sent = new Set<string>(Object.values(windowCommands).flat());
    const parsed = pageCommand.def.options.flatMap(({ shape }) => [...shape.command.def.values]);
    expect([...sent].toSorted()).toEqual(parsed.toSorted());
  });
});
