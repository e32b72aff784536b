import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryNames, safeName } from './entryNames.ts';

describe('names in an archive', () => {
  it.each([
    ['curve.json', 'curve.json'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\data\\a.csv', 'C__data_a.csv'],
    ['..', 'datapoint'],
    ['', 'datapoint'],
    ['OD 600/nm?', 'OD 600_nm_'],
    ['nul.txt', '_nul.txt'],
    ['a\u0000b', 'a_b'],
    ['end. ', 'end'],
    [`${'x'.repeat(200)}.csv`, `${'x'.repeat(116)}.csv`],
  ])('%j becomes %j', (name, safe) => expect(safeName(name)).toBe(safe));

  it('are unique', () => {
    expect(entryNames(['a.json', 'A.json', 'a.json', 'a (2).json', 'b'])).toEqual([
      'a.json',
      'A (2).json',
      'a (3).json',
      'a (2) (2).json',
      'b',
    ]);
  });

  it('stay unique for 20,000 files with one label', () => {
    const names = entryNames(Array.from({ length: 20_000 }, () => 'od.json'));
    expect(new Set(names).size).toBe(20_000);
    expect(names.at(-1)).toBe('od (20000).json');
  });

  it('are unique, valid and short for any labels', () => {
    const label = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('..', 'a/b', 'A', 'a', 'con.txt', '.'),
    );
    fc.assert(
      fc.property(fc.array(label, { maxLength: 30 }), (labels) => {
        const names = entryNames(labels);
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(labels.length);
        for (const name of names) {
          expect(name).not.toMatch(/[/\\:]|^\.|^$|[\s.]$/);
          expect(name.length).toBeLessThanOrEqual(130);
        }
      }),
    );
  });
});
