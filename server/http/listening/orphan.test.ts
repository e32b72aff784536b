import { expect, it } from 'vitest';
import { isOrphan } from './orphan.ts';

const executable = '/opt/lab-manager/lab-manager';
const service = '/opt/lab-manager/lab-manager --type=utility --utility-sub-type=node.mojom.NodeService';

it.each([
  ['a service whose app has ended', { program: executable, commandLine: service, parentProgram: null }, true],
  [
    'a service that the session manager has adopted',
    { program: executable, commandLine: service, parentProgram: '/usr/lib/systemd/systemd' },
    true,
  ],
  ['the service of a running app', { program: executable, commandLine: service, parentProgram: executable }, false],
  ['an app', { program: executable, commandLine: executable, parentProgram: null }, false],
  [
    'another program',
    { program: '/usr/bin/python3', commandLine: `python3 --type=utility`, parentProgram: null },
    false,
  ],
  ['a process that can’t be inspected', { program: null, commandLine: '', parentProgram: null }, false],
])('isOrphan is true only for a service without its app: %s', (_name, details, expected) => {
  expect(isOrphan(details, executable)).toBe(expected);
});
