import { expect, it } from 'vitest';
import { rejectionText, parseSecondStart } from './startOptions.ts';

it.each([
  ['a double click', ['lab-manager'], { kind: 'show' }],
  ['the demo lab', ['lab-manager', '--demo'], { kind: 'demo' }],
  ['a start at login', ['lab-manager', '--hidden'], { kind: 'hidden' }],
  ['the end of the app', ['lab-manager', '--quit', '--settings-dir=/lab'], { kind: 'quit' }],
  ['Chromium’s own switches', ['lab-manager', '--no-sandbox', '--user-data-dir=/tmp/x'], { kind: 'show' }],
  [
    'another folder',
    ['lab-manager', '--settings-dir=/lab', '--demo'],
    { kind: 'refused', options: ['--settings-dir=/lab'] },
  ],
  [
    'changed settings',
    ['lab-manager', '--lab-listen-port=9', '--event-server-url=http://x/'],
    { kind: 'refused', options: ['--lab-listen-port=9', '--event-server-url=http://x/'] },
  ],
])('parseSecondStart handles %s', (_name, argv, decision) => {
  expect(parseSecondStart(argv)).toEqual(decision);
});

it('rejectionText contains the options and the remedy', () => {
  expect(rejectionText(['--lab-listen-port=9'])).toMatch(/--lab-listen-port=9 can’t take effect\. Quit it first/);
});
