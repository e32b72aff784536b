/** Serves the shell's pages from the app's files, under the shell's scheme. */
import { protocol } from 'electron';
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { guideFolder } from '../../api/guide.ts';
import { isShellUrl, shellScheme } from '../ipc/ownPages.ts';

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const mimeTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** @param root directory with the built pages @param guide directory with the built user guide */
export function serveShellPages(root: string, guide: string): void {
  protocol.handle(shellScheme, async (request) => {
    const file = resolveFile({ root, guide }, request.url);
    if (file === null) return new Response('Not found', { status: 404 });
    return new Response(await readFile(file), {
      headers: {
        'Content-Type': mimeTypes[extname(file)] ?? 'application/octet-stream',
        'Content-Security-Policy': contentSecurityPolicy,
        'X-Content-Type-Options': 'nosniff',
      },
    });
  });
}

/** Returns the file of a request; `null` if it is outside of the served folders. */
function resolveFile(folders: { readonly root: string; readonly guide: string }, url: string): string | null {
  if (!isShellUrl(url)) return null;
  const path = normalize(decodeURIComponent(new URL(url).pathname));
  const guidePrefix = `${sep}${guideFolder.replace('/', sep)}`;
  const isGuide = path.startsWith(guidePrefix);
  const folder = isGuide ? folders.guide : folders.root;
  const file = join(folder, isGuide ? path.slice(guidePrefix.length) : path);
  if (!file.startsWith(folder + sep) || !existsSync(file) || !statSync(file).isFile()) return null;
  return file;
}
