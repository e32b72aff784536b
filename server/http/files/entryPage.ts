/**
 * Serves the entry page of the bundled dashboard at an address below the first level (`/workflows/abc`): its relative
 * links are rewritten to the root, for any base path of a proxy.
 */
import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import type { OpenFile } from './folderFiles.ts';

/** Adapts `html` to `depth` levels: `./assets/x.js` → `../assets/x.js`. Pure. */
export function entryPageAt(html: string, depth: number): string {
  return html.replace(/\b(src|href)="\.\//g, (_link, attribute: string) => `${attribute}="${'../'.repeat(depth)}`);
}

/** Sends the page in `file`, adapted to `depth` levels, and closes the file; 304 if the client's copy is current. */
export async function sendEntryPage(
  { handle }: OpenFile,
  depth: number,
  request: Request,
  response: Response,
): Promise<void> {
  const text = await handle.readFile('utf8').finally(() => handle.close());
  const html = entryPageAt(text, depth);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('ETag', `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`);
  response.type('html');
  if (request.fresh) return void response.status(304).end();
  response.send(html);
}
