import { FuseV1Options } from '@electron/fuses';
import { expect, test } from 'vitest';
import { fuseChanges, fuseNames, fusesOf } from './fuses.mjs';

const stated = fusesOf({ forTests: false, platform: 'linux' });
/** How the wire is when everything is as stated. */
const asStated: readonly string[] = fuseNames.map((name) => (stated[name] ? '1' : '0'));

test('every fuse of the installed @electron/fuses is stated at its position', () => {
  const named = Object.entries(FuseV1Options).filter(([, position]) => typeof position === 'number');
  expect(named.length).toBeGreaterThanOrEqual(8);
  for (const [name, position] of named) {
    expect(fuseNames[Number(position)]).toBe(`${name.charAt(0).toLowerCase()}${name.slice(1)}`);
  }
  expect(Object.keys(stated)).toEqual(fuseNames);
});

test.each([
  { what: 'as stated: nothing', wire: asStated, known: 8, changes: [] },
  { what: 'an older runtime without the last one', wire: asStated.slice(0, 8), known: 8, changes: [] },
  { what: 'one that was removed', wire: asStated.with(0, 'r'), known: 8, changes: [] },
  {
    what: 'two that are otherwise',
    wire: asStated.with(0, '1').with(5, '0'),
    known: 8,
    changes: [
      [0, false],
      [5, true],
    ],
  },
  { what: 'the last one, where it can be set', wire: asStated.with(8, '0'), known: 9, changes: [[8, true]] },
])('fuseChanges returns the changes of $what', ({ wire, known, changes }) => {
  expect([...fuseChanges(wire, stated, known)]).toEqual(changes);
});

test('fuseChanges fails for a fuse that cannot be set as stated and for one that is not stated', () => {
  expect(() => fuseChanges(asStated.with(8, '0'), stated, 8)).toThrow(
    "can't set wasmTrapHandlers, which is stated as true",
  );
  expect(() => fuseChanges([...asStated, '1'], stated, 9)).toThrow("Electron's fuse number 10 is not stated");
});

test.each([
  ['linux', false],
  ['win32', true],
  ['darwin', true],
] as const)('fusesOf on %s turns on the integrity check of the archive: %s', (platform, checked) => {
  expect(fusesOf({ forTests: false, platform }).enableEmbeddedAsarIntegrityValidation).toBe(checked);
});
