import { expect, it } from 'vitest';
import { pageCommand } from './commands.ts';

const question = (asked: unknown) => ({ command: 'settings', question: asked });

it.each<[string, unknown, boolean]>([
  ['the list', question({ about: 'list' }), true],
  [
    'a change',
    question({ about: 'plan', changes: { log_level: 'DEBUG', cors_allowed_origins: ['*'], verbose: null } }),
    true,
  ],
  ['a number in place of what is typed', question({ about: 'plan', changes: { listen_port: 80 } }), false],
  ['a value beyond any setting’s', question({ about: 'check', name: 'x', typed: 'x'.repeat(10_001) }), false],
  ['a plan that is no number', question({ about: 'save', plan: '1' }), false],
  ['a question that nobody knows', question({ about: 'write', path: '/etc/passwd', text: '' }), false],
  ['a preference', { command: 'prefer', changes: { theme: 'dark' } }, true],
  ['a preference that the window doesn’t have', { command: 'prefer', changes: { labFolder: '/' } }, false],
  ['a theme that there isn’t', { command: 'prefer', changes: { theme: 'pink' } }, false],
  ['a remembered choice', { command: 'forget', choice: 'window' }, true],
  ['another one', { command: 'forget', choice: 'follow' }, false],
])('%s', (_name, request, isTaken) => {
  expect(pageCommand.safeParse(request).success).toBe(isTaken);
});
