import { unzipSync } from 'fflate';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { makeZip, TooLarge, type ZipEntry } from './makeZip.ts';

const entry = (name: string, text: string | Uint8Array<ArrayBuffer>): ZipEntry => ({
  name,
  at: Date.UTC(2026, 10, 21, 14),
  read: () => Promise.resolve(new Blob([text])),
});
const failing = (name: string, reason: string): ZipEntry => ({
  name,
  at: null,
  read: () => Promise.reject(new Error(reason)),
});
const never = () => new AbortController().signal;
const unzipped = async (blob: Blob) => unzipSync(new Uint8Array(await blob.arrayBuffer()));

describe('an archive of several files', () => {
  it('contains them unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), async (files) => {
        const entries = files.map((bytes, index) => entry(`${index} µ.bin`, new Uint8Array(bytes)));
        const { blob, missing } = await makeZip(entries, never(), () => undefined);
        expect(missing).toEqual([]);
        const found = await unzipped(blob);
        expect(Object.keys(found)).toHaveLength(files.length);
        for (const [index, bytes] of files.entries()) expect([...(found[`${index} µ.bin`] ?? [])]).toEqual([...bytes]);
      }),
      { numRuns: 25 },
    );
  });

  it('is made of several pieces and reports progress', async () => {
    const onProgress = vi.fn();
    const large = new Uint8Array(2_500_000).fill(7);
    const { blob } = await makeZip([entry('a', large), entry('b', 'x')], never(), onProgress);
    expect(Buffer.from((await unzipped(blob))['a'] ?? []).equals(large)).toBe(true);
    const said = onProgress.mock.calls.map(([{ done, bytes }]) => [done, bytes > 1_000_000]);
    expect(said.length).toBeGreaterThan(0);
    expect(said.at(-1)).toEqual([2, true]);
  });

  it('is the same from bytes and from a blob', async () => {
    const bytes = new TextEncoder().encode('od,0.4');
    const entries = [entry('blob', bytes), { name: 'bytes', at: null, read: () => Promise.resolve(bytes) }];
    const found = await unzipped((await makeZip(entries, never(), () => undefined)).blob);
    expect(found['bytes']).toEqual(found['blob']);
  });

  it('lists the missing files with reasons and contains the others', async () => {
    const { blob, missing } = await makeZip([failing('a', 'disk is gone'), entry('b', 'x')], never(), () => undefined);
    expect(missing).toEqual([{ name: 'a', reason: 'disk is gone' }]);
    expect(Object.keys(await unzipped(blob))).toEqual(['b']);
  });

  it('is rejected above the size limit', async () => {
    await expect(
      makeZip([entry('a', 'xxx'), entry('b', 'y'.repeat(99))], never(), () => undefined, 140),
    ).rejects.toThrow(TooLarge);
  });

  it('is not read further after an abort', async () => {
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
