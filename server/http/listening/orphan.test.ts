import { expect, it } from 'vitest';
import { isOrphan } from './orphan.ts';

const own = '/opt/lab-manager/lab-manager';
const service = '/opt/lab-manager/lab-manager --type=utility --utility-sub-type=node.mojom.NodeService';

it.each([
  ['a service whose app is gone', { program: own, commandLine: service, parentProgram: null }, true],
  [
    'one that the session’s manager has taken over',
    { program: own, commandLine: service, parentProgram: '/usr/lib/systemd/systemd' },
    true,
  ],
  ['the service of an app that lives', { program: own, commandLine: service, parentProgram: own }, false],
  ['an app', { program: own, commandLine: own, parentProgram: null }, false],
  [
    'another program',
    { program: '/usr/bin/python3', commandLine: `python3 --type=utility`, parentProgram: null },
    false,
  ],
  ['one that can’t be seen', { program: null, commandLine: '', parentProgram: null }, false],
])('%s', (_name, facts, expected) => {
  expect(isOrphan(facts, own)).toBe(expected);
});
