import { expect, it } from 'vitest';
import { shellRequest } from './contract.ts';

const ask = (question: unknown) => ({ ask: 'settings', question });

it.each<[string, unknown, boolean]>([
  ['the list', ask({ about: 'list' }), true],
  [
    'a change',
    ask({ about: 'plan', changes: { log_level: 'DEBUG', cors_allowed_origins: ['*'], verbose: null } }),
    true,
  ],
  ['a number in place of what is typed', ask({ about: 'plan', changes: { listen_port: 80 } }), false],
  ['a value beyond any setting’s', ask({ about: 'check', name: 'x', typed: 'x'.repeat(10_001) }), false],
  ['a plan that is no number', ask({ about: 'save', plan: '1' }), false],
  ['a question that nobody knows', ask({ about: 'write', path: '/etc/passwd', text: '' }), false],
  ['a preference', { ask: 'prefer', changes: { theme: 'dark' } }, true],
  ['a preference that the window doesn’t have', { ask: 'prefer', changes: { labFolder: '/' } }, false],
  ['a theme that there isn’t', { ask: 'prefer', changes: { theme: 'pink' } }, false],
  ['a remembered choice', { ask: 'forget', choice: 'window' }, true],
  ['another one', { ask: 'forget', choice: 'follow' }, false],
])('%s', (_name, request, isTaken) => {
  expect(shellRequest.safeParse(request).success).toBe(isTaken);
});
