import { expect, it } from 'vitest';
import type { ManagerStatus } from '#api/lab/lab.ts';
import { managerKeys } from '#api/managers.ts';
import { labTexts as texts } from './texts.ts';
import { findCommonVersion } from '#api/compareVersions.ts';
import { toVersionRows } from './versions.ts';

const managers = (versions: readonly (string | null)[]) =>
  versions.map((version, index) => ({ manager: managerKeys[index]!, name: 'x', version }) as ManagerStatus);
const describeVersions = (versions: readonly (string | null)[]) =>
  toVersionRows(managers(versions)).map((row) => row.text);

it.each<[readonly (string | null)[], readonly string[]]>([
  [
    ['0.8.1', '0.8.1'],
    [texts.sameVersion, texts.sameVersion],
  ],
  [
    ['0.8.1', '0.7.1', '0.8.1'],
    [texts.sameVersion, 'Different: most managers use 0.8.1', texts.sameVersion],
  ],
  [
    ['0.8.1', '0.7.1'],
    ['Different: no version is the most common', 'Different: no version is the most common'],
  ],
  [
    ['0.8.1', null, ''],
    ['Nothing to compare with', 'Reports no version', 'Reports no version'],
  ],
  [
    ['0.9.0', '0.9.0'],
    [texts.newerVersion, texts.newerVersion],
  ],
  [['1.0.0'], [texts.newerVersion]],
  [['0.6.2'], ['Older than any version this dashboard was tested with']],
  [['main'], ['Nothing to compare with']],
])('the versions %j are described as %j', (versions, expected) => {
  expect(describeVersions(versions)).toEqual(expected);
});

it('findCommonVersion returns the most frequent version unless there is a tie', () => {
  expect(findCommonVersion(['a', 'b', 'a'])).toBe('a');
  expect(findCommonVersion(['a', 'b'])).toBeNull();
  expect(findCommonVersion([])).toBeNull();
});
