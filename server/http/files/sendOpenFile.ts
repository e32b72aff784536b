/** Sends an opened file: type, ranges, conditions and ETag by `send`, the bytes from the verified descriptor. */
import fs from 'node:fs';
import { finished } from 'node:stream';
import type { NextFunction, Request, Response } from 'express';
import send from 'send';
import type { OpenFile } from './folderFiles.ts';

/** `send` would open the path again; this subclass reads the open descriptor. */
interface DescriptorSender {
  res: Response;
  stream: (path: string, options: { readonly start?: number; readonly end?: number }) => void;
  send: (path: string, stats: fs.Stats) => void;
  on: (event: 'error', listener: (error: Error) => void) => void;
}

/** Sends the file, unless the client has disconnected. */
export function sendOpenFile(file: OpenFile, request: Request, response: Response, next: NextFunction): void {
  const { path, handle, stats } = file;
  if (response.destroyed) return;
  const sender = send(request, path, { cacheControl: false }) as unknown as DescriptorSender;
  sender.res = response;
  sender.on('error', next);
  sender.stream = (_path, { start, end }) => {
    const range = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
    const source = fs.createReadStream(path, { ...range, fd: handle, autoClose: false });
    source.once('error', next);
    finished(response, () => source.destroy());
    source.pipe(response);
  };
  sender.send(path, stats);
}
