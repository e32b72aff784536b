/**
 * Serves the entry page of the bundled dashboard at an address below the first level (`/workflows/abc`): its relative
 * links are rewritten to the root, for any base path of a proxy. Also the dashboard's web app manifest with the lab's name.
 */
import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import type { OpenFile } from './folderFiles.ts';

/** Adapts `html` to `depth` levels: `./assets/x.js` → `../assets/x.js`. */
export function rewriteEntryPage(html: string, depth: number): string {
  return html.replace(/\b(src|href)="\.\//g, (_link, attribute: string) => `${attribute}="${'../'.repeat(depth)}`);
}

/** The path of the manifest, which contains the name, icons and colours of an installed dashboard. */
export const manifestPath = '/manifest.webmanifest';

/** Names the app in a manifest after the lab, as a phone can have several labs on its home screen. */
export function nameManifest(manifest: string, labName: string | null): string {
  if (labName === null) return manifest;
  return JSON.stringify({ ...JSON.parse(manifest), name: labName, short_name: labName });
}

/** Sends the page in `file`, adapted to `depth` levels; 304 if the client's copy is current. */
export async function sendEntryPage(
  file: OpenFile,
  depth: number,
  request: Request,
  response: Response,
): Promise<void> {
  sendText(rewriteEntryPage(await file.handle.readFile('utf8'), depth), 'html', request, response);
}

/** Sends the manifest in `file` with the lab's name; 304 if the client's copy is current. */
export async function sendManifest(
  file: OpenFile,
  labName: string | null,
  request: Request,
  response: Response,
): Promise<void> {
  sendText(nameManifest(await file.handle.readFile('utf8'), labName), 'webmanifest', request, response);
}

function sendText(text: string, type: string, request: Request, response: Response): void {
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('ETag', `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`);
  response.type(type);
  if (request.fresh) return void response.status(304).end();
  response.send(text);
}
