import { unzipSync } from 'fflate';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { makeZip, TooLargeError, type ZipEntry, createEntryNames, toSafeName } from './makeZip.ts';

const entry = (name: string, text: string | Uint8Array<ArrayBuffer>): ZipEntry => ({
  name,
  at: Date.UTC(2026, 10, 21, 14),
  read: () => Promise.resolve(new Blob([text])),
});
const failingEntry = (name: string, reason: string): ZipEntry => ({
  name,
  at: null,
  read: () => Promise.reject(new Error(reason)),
});
const createSignal = () => new AbortController().signal;
const unzip = async (blob: Blob) => unzipSync(new Uint8Array(await blob.arrayBuffer()));

describe('an archive of several files', () => {
  it('contains the files unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), async (files) => {
        const entries = files.map((bytes, index) => entry(`${index} µ.bin`, new Uint8Array(bytes)));
        const { blob, missing } = await makeZip(entries, createSignal(), () => undefined);
        expect(missing).toEqual([]);
        const zippedFiles = await unzip(blob);
        expect(Object.keys(zippedFiles)).toHaveLength(files.length);
        for (const [index, bytes] of files.entries())
          expect([...(zippedFiles[`${index} µ.bin`] ?? [])]).toEqual([...bytes]);
      }),
      { numRuns: 25 },
    );
  });

  it('contains a large file unchanged, and its last progress report counts all files', async () => {
    const onProgress = vi.fn();
    const large = new Uint8Array(2_500_000).fill(7);
    const { blob } = await makeZip([entry('a', large), entry('b', 'x')], createSignal(), onProgress);
    expect(Buffer.from((await unzip(blob))['a'] ?? []).equals(large)).toBe(true);
    const progress = onProgress.mock.calls.map(([{ done, bytes }]) => [done, bytes > 1_000_000]);
    expect(progress.length).toBeGreaterThan(0);
    expect(progress.at(-1)).toEqual([2, true]);
  });

  it('has the same content for bytes as for a blob', async () => {
    const bytes = new TextEncoder().encode('od,0.4');
    const entries = [entry('blob', bytes), { name: 'bytes', at: null, read: () => Promise.resolve(bytes) }];
    const files = await unzip((await makeZip(entries, createSignal(), () => undefined)).blob);
    expect(files['bytes']).toEqual(files['blob']);
  });

  it('contains only the readable files; makeZip returns the others with reasons', async () => {
    const { blob, missing } = await makeZip(
      [failingEntry('a', 'disk is gone'), entry('b', 'x')],
      createSignal(),
      () => undefined,
    );
    expect(missing).toEqual([{ name: 'a', reason: 'disk is gone' }]);
    expect(Object.keys(await unzip(blob))).toEqual(['b']);
  });

  it('is rejected above the size limit', async () => {
    await expect(
      makeZip([entry('a', 'xxx'), entry('b', 'y'.repeat(99))], createSignal(), () => undefined, 140),
    ).rejects.toThrow(TooLargeError);
  });

  it('is rejected after an abort, without reading further files', async () => {
    const controller = new AbortController();
    const read = vi.fn(() => {
      controller.abort(new Error('enough'));
      return Promise.resolve(new Blob(['x']));
    });
    await expect(
      makeZip(
        [
          { name: 'a', at: null, read },
          { name: 'b', at: null, read },
        ],
        controller.signal,
        () => undefined,
      ),
    ).rejects.toThrow('enough');
    expect(read).toHaveBeenCalledTimes(1);
  });
});

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
  ])('are safe: %j becomes %j', (name, safe) => expect(toSafeName(name)).toBe(safe));

  it('are unique', () => {
    expect(createEntryNames(['a.json', 'A.json', 'a.json', 'a (2).json', 'b'])).toEqual([
      'a.json',
      'A (2).json',
      'a (3).json',
      'a (2) (2).json',
      'b',
    ]);
  });

  it('stay unique for 20,000 files with one label', () => {
    const names = createEntryNames(Array.from({ length: 20_000 }, () => 'od.json'));
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
        const names = createEntryNames(labels);
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(labels.length);
        for (const name of names) {
          expect(name).not.toMatch(/[/\\:]|^\.|^$|[\s.]$/);
          expect(name.length).toBeLessThanOrEqual(130);
        }
      }),
    );
  });
});
