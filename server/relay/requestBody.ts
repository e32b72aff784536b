/** Reads the bodies of requests that are not streamed to the manager. */
import type { Request } from 'express';
import { StreamError } from '../net/streamedExchange.ts';

const mebibyte = 1024 * 1024;

/** The whole body of a request. @throws StreamError if it is too long or breaks off */
export function readWhole(request: Request, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      // The connection stays open for the error.
      request.pause();
      reject(new StreamError('tooMuch', `more than ${maxBytes / mebibyte} MiB`));
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('close', () => reject(new StreamError('aborted', 'the request broke off')));
  });
}
