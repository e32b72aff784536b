import { expect, it } from 'vitest';
import { refusalText, secondStart } from './startOptions.ts';

it.each([
  ['a double click', ['lab-manager'], { kind: 'show' }],
  ['the demo lab', ['lab-manager', '--demo'], { kind: 'demo' }],
  ['a login', ['lab-manager', '--hidden'], { kind: 'hidden' }],
  ['Chromium’s own switches', ['lab-manager', '--no-sandbox', '--user-data-dir=/tmp/x'], { kind: 'show' }],
  [
    'another folder',
    ['lab-manager', '--settings-dir=/lab', '--demo'],
    { kind: 'refused', options: ['--settings-dir=/lab'] },
  ],
  [
    'settings',
    ['lab-manager', '--lab-listen-port=9', '--event-server-url=http://x/'],
    { kind: 'refused', options: ['--lab-listen-port=9', '--event-server-url=http://x/'] },
  ],
])('%s', (_name, argv, decision) => {
  expect(secondStart(argv)).toEqual(decision);
});

it('says which options and what to do', () => {
  expect(refusalText(['--lab-listen-port=9'])).toMatch(/--lab-listen-port=9 can’t take effect\. Quit it first/);
});
