import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { BlobParts, receiveBytes } from './receiveBytes.ts';

/** A response in these chunks, and a mock that records its cancellation. */
function createResponse(chunks: readonly (readonly number[])[], headers: Record<string, string> = {}) {
  const cancel = vi.fn();
  const pendingChunks = [...chunks];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = pendingChunks.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(Uint8Array.from(chunk));
    },
    cancel,
  });
  return { response: new Response(body, { headers }), cancel };
}
const readBytes = async (blob: Blob) => [...new Uint8Array(await blob.arrayBuffer())];

describe('receiveBytes', () => {
  it('returns all bytes with their type and reports progress', async () => {
    const onProgress = vi.fn();
    const { response } = createResponse([[1, 2], [3]], { 'content-length': '3', 'content-type': 'image/png' });
    const { blob, isComplete, size } = await receiveBytes(response, { maxBytes: 3, onProgress });
    expect([isComplete, size, blob.type]).toEqual([true, 3, 'image/png']);
    expect(await readBytes(blob)).toEqual([1, 2, 3]);
    expect(onProgress.mock.calls).toEqual([
      [2, 3],
      [3, 3],
    ]);
  });

  it('returns no complete file and cancels the response when its size exceeds the limit', async () => {
    const cancellable = createResponse([[1, 2, 3, 4]], { 'content-length': '4' });
    const { blob, isComplete, size } = await receiveBytes(cancellable.response, { maxBytes: 3 });
    expect([blob.size, isComplete, size]).toEqual([0, false, 4]);
    expect(cancellable.cancel).toHaveBeenCalled();
    const withoutSize = createResponse([[1, 2], [3, 4], [5]]);
    expect(await receiveBytes(withoutSize.response, { maxBytes: 3 })).toMatchObject({ isComplete: false, size: null });
    expect(withoutSize.cancel).toHaveBeenCalled();
  });

  it('returns the first bytes when a part is sufficient', async () => {
    const { response, cancel } = createResponse([[1, 2], [3, 4], [5]], { 'content-length': '5' });
    const { blob, isComplete, size } = await receiveBytes(response, { maxBytes: 3, allowTruncated: true });
    expect(await readBytes(blob)).toEqual([1, 2, 3]);
    expect([isComplete, size]).toEqual([false, 5]);
    expect(cancel).toHaveBeenCalled();
  });

  it('ignores the stated size of a compressed response', async () => {
    const { response } = createResponse([[1]], { 'content-length': '900', 'content-encoding': 'gzip' });
    expect(await receiveBytes(response, { maxBytes: 3 })).toMatchObject({ isComplete: true, size: 1 });
  });

  it('collects chunks in BlobParts, which preserves the order of the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), async (chunks) => {
        const parts = new BlobParts();
        for (const chunk of chunks) parts.add(chunk);
        expect(parts.size).toBe(chunks.reduce((sum, { length }) => sum + length, 0));
        expect(await readBytes(parts.blob())).toEqual(chunks.flatMap((chunk) => [...chunk]));
      }),
      { numRuns: 30 },
    );
  });
});
