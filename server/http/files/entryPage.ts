/**
 * The entry page of the bundled dashboard at an address below the first level (`/workflows/abc`): its relative links
 * are made to lead back to the root, whatever base path a proxy puts in front of it.
 */
import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import type { OpenedFile } from './folderFiles.ts';

/** `html` as it must be `depth` levels down: `./assets/x.js` → `../assets/x.js`. Pure. */
export function entryPageAt(html: string, depth: number): string {
  return html.replace(/\b(src|href)="\.\//g, (_link, attribute: string) => `${attribute}="${'../'.repeat(depth)}`);
}

/** Answers with the page in `file` as it must be `depth` levels down, and closes it; 304 to who has it. */
export async function sendEntryPage(
  { handle }: OpenedFile,
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
