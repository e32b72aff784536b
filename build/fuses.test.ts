import { FuseV1Options } from '@electron/fuses';
import { expect, test } from 'vitest';
import { fuseChanges, fuseNames, fusesFor } from './fuses.mjs';

const expectedFuses = fusesFor({ isTestBuild: false, platform: 'linux' });
/** The fuse wire of a program whose fuses are all as expected. */
const expectedWire: readonly string[] = fuseNames.map((name) => (expectedFuses[name] ? '1' : '0'));

test('fuseNames contains every fuse of the installed @electron/fuses at its position', () => {
  const named = Object.entries(FuseV1Options).filter(([, position]) => typeof position === 'number');
  expect(named.length).toBeGreaterThanOrEqual(8);
  for (const [name, position] of named) {
    expect(fuseNames[Number(position)]).toBe(`${name.charAt(0).toLowerCase()}${name.slice(1)}`);
  }
  expect(Object.keys(expectedFuses)).toEqual(fuseNames);
});

test.each([
  { what: 'no change for the expected fuses', wire: expectedWire, settableCount: 8, changes: [] },
  {
    what: 'no change for an older runtime without the last fuse',
    wire: expectedWire.slice(0, 8),
    settableCount: 8,
    changes: [],
  },
  { what: 'no change for a removed fuse', wire: expectedWire.with(0, 'r'), settableCount: 8, changes: [] },
  {
    what: 'a change for each fuse with an unexpected value',
    wire: expectedWire.with(0, '1').with(5, '0'),
    settableCount: 8,
    changes: [
      [0, false],
      [5, true],
    ],
  },
  {
    what: 'a change of the last fuse where it can be set',
    wire: expectedWire.with(8, '0'),
    settableCount: 9,
    changes: [[8, true]],
  },
])('fuseChanges returns $what', ({ wire, settableCount, changes }) => {
  expect([...fuseChanges(wire, expectedFuses, settableCount)]).toEqual(changes);
});

test('fuseChanges fails for a fuse that cannot be set to the expected value, and for an unlisted fuse', () => {
  expect(() => fuseChanges(expectedWire.with(8, '0'), expectedFuses, 8)).toThrow(
    "can't set wasmTrapHandlers, which must be true",
  );
  expect(() => fuseChanges([...expectedWire, '1'], expectedFuses, 9)).toThrow(
    "Electron's fuse number 10 is not listed",
  );
});

test.each([
  ['linux', false],
  ['win32', true],
  ['darwin', true],
] as const)('fusesFor sets the integrity check of the archive on %s to %s', (platform, checked) => {
  expect(fusesFor({ isTestBuild: false, platform }).enableEmbeddedAsarIntegrityValidation).toBe(checked);
});
