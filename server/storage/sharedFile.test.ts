import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useAdvancingClock, useManualClock } from '../../api/fixtures/manualClock.ts';
import { readOwnFile } from './replaceOwnFile.ts';
import { changeSharedFile } from './sharedFile.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shared-'));
  path = join(folder, 'list.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = async (): Promise<number[]> => JSON.parse((await readOwnFile(path)) ?? '[]') as number[];
const add = (entry: number) => changeSharedFile(path, async () => [...(await read()), entry], JSON.stringify);

describe('a shared file', () => {
  it('contains every change when many are made at the same time', async () => {
    useAdvancingClock(Date.now(), 1);
    const entries = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(entries.map(add));
    expect((await read()).toSorted((a, b) => a - b)).toEqual(entries);
    expect(readdirSync(folder)).toEqual(['list.json']);
  });

  it.each([
    ['an hour ago', -3600],
    ['by a clock that is an hour ahead', 3600],
  ])('is changed although a process that was killed locked it %s', async (_when, seconds) => {
    writeFileSync(`${path}.lock`, '');
    const lockedAt = Date.now() / 1000 + seconds;
    utimesSync(`${path}.lock`, lockedAt, lockedAt);
    expect(await add(1)).toEqual([1]);
    expect(readdirSync(folder)).toEqual(['list.json']);
  });

  it('is changed once another process has released its lock', async () => {
    const clock = useManualClock();
    writeFileSync(`${path}.lock`, '');
    utimesSync(`${path}.lock`, clock.now() / 1000, clock.now() / 1000);
    let hasBegun = false;
    const change = changeSharedFile(path, async () => (hasBegun = true), String);
    await clock.advanceInSteps(100, 20);
    expect(hasBegun).toBe(false);
    rmSync(`${path}.lock`);
    expect(await clock.settle(change)).toBe(true);
  });

  it('is unchanged and unlocked after a refused change', async () => {
    await add(1);
    const refused = changeSharedFile(path, () => Promise.reject(new Error('refused')), String);
    await expect(refused).rejects.toThrow('refused');
    expect(readFileSync(path, 'utf8')).toBe('[1]');
    expect(readdirSync(folder)).toEqual(['list.json']);
  });
});
