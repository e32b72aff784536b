/** Reads the bodies of requests that are not streamed to the manager. */
import type { Request } from 'express';
import { StreamError } from '../net/streamedExchange.ts';

const mebibyte = 1024 * 1024;

/** The headers of a request whose body is sent as these bytes, instead of streamed. */
export function headersWithBody(
  { 'transfer-encoding': _streamed, ...headers }: Readonly<Record<string, string>>,
  body: Buffer,
): Readonly<Record<string, string>> {
  return { ...headers, 'content-length': String(body.length) };
}

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
