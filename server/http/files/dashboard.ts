/**
 * The dashboard's files at `/`: hashed assets for ever, pages always fresh, compressed siblings where the browser takes
 * them, the entry page for every page of the single-page app, and nothing outside the directory.
 */
import type { Request, RequestHandler, Response } from 'express';
import { extname, join, sep } from 'node:path';
import serveStatic from 'serve-static';
import type { DashboardFiles } from '../../settings/schema/labSettings.ts';
import { sendEntryPage } from './entryPage.ts';
import { sendError, sendMethodNotAllowed } from '../errors.ts';
import { FolderFiles, isDirectory } from './folderFiles.ts';
import { dashboardPolicy, foreignPolicy, setPolicy } from '../headers.ts';
import { classifyPath } from './paths.ts';

/** A directory of built dashboard files, and whether they are ours. */
export interface DashboardDirectory {
  readonly root: string;
  readonly bundled: boolean;
}

/** Encodings that the build leaves beside a file, best first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

const compressible = new Set(['.html', '.js', '.mjs', '.css', '.svg', '.json', '.txt', '.map', '.webmanifest']);

/** The directory to serve, or `null` for none; ours stands in for one that isn't there. */
export async function dashboardDirectory(
  files: DashboardFiles,
  bundledRoot: string,
): Promise<DashboardDirectory | null> {
  if (files.kind === 'none') return null;
  if (files.kind === 'directory' && (await isDirectory(files.path))) return { root: files.path, bundled: false };
  return (await isDirectory(bundledRoot)) ? { root: bundledRoot, bundled: true } : null;
}

/** Everything that isn't the API. `directory` is asked at each request, because settings change while we run. */
export function dashboardRoutes(directory: () => DashboardDirectory | null): RequestHandler {
  const perDirectory = new WeakMap<DashboardDirectory, RequestHandler>();
  return (request, response, next) => {
    const kind = classifyPath(request.path);
    if (kind.kind === 'long') return sendError(response, 414, 'The path of this request is too long');
    if (kind.kind === 'malformed') return sendError(response, 400, 'The path of this request cannot be decoded');
    if (kind.kind === 'reserved' || kind.kind === 'hidden') return sendError(response, 404, 'Not Found');
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendMethodNotAllowed(response);
    const served = directory();
    if (served === null) {
      return sendError(response, 404, 'The dashboard is switched off (LAB_DASHBOARD_FILES_PATH is None)');
    }
    let handler = perDirectory.get(served);
    if (!handler) perDirectory.set(served, (handler = filesOf(served)));
    // Returned, so that a rejection reaches the router, and by it the one place for errors.
    return handler(request, response, next);
  };
}

function filesOf({ root, bundled }: DashboardDirectory): RequestHandler {
  const files = new FolderFiles(root);
  const policy = bundled ? dashboardPolicy : foreignPolicy;
  const send = serveStatic(root, {
    index: false,
    dotfiles: 'ignore',
    redirect: false,
    setHeaders: (response, path) => {
      response.setHeader('Cache-Control', cacheControl(path.slice(root.length), bundled));
      setPolicy(response as Response, policy);
    },
  });
  return async (request, response, next) => {
    const found = await files.find(decodeURIComponent(request.path));
    if (found !== null) return sendFile(files, send, found, [request, response, next]);
    if (isMissingAsset(request)) return sendError(response, 404, 'Not Found');
    const entry = await files.find('/index.html');
    if (entry === null) return sendError(response, 404, 'The dashboard directory has no index.html');
    const depth = request.path.split('/').length - 2;
    if (!bundled || depth === 0) return sendFile(files, send, entry, [request, response, next]);
    setPolicy(response, policy);
    await sendEntryPage(join(root, entry), depth, request, response);
  };
}

/** Sends a file of the folder, or the compressed sibling that the browser takes. Ranges are of the plain file. */
async function sendFile(
  files: FolderFiles,
  send: RequestHandler,
  path: string,
  [request, response, next]: Parameters<RequestHandler>,
): Promise<void> {
  let sent = path;
  if (compressible.has(extname(path)) && request.headers.range === undefined) {
    response.vary('Accept-Encoding');
    const accepted = encodings.filter(({ name }) => request.acceptsEncodings(name) === name);
    for (const { name, suffix } of accepted) {
      if ((await files.find(path + suffix)) === null) continue;
      response.type(extname(path));
      response.setHeader('Content-Encoding', name);
      sent = path + suffix;
      break;
    }
  }
  request.url = encodeURI(sent).replace(/[?#]/g, encodeURIComponent);
  send(request, response, (error?: unknown) => {
    if (error !== undefined) return next(error);
    for (const header of ['Content-Encoding', 'Content-Type']) response.removeHeader(header);
    sendError(response, 404, 'Not Found');
  });
}

/** Unknown pages are the app's own; unknown files are not there. */
function isMissingAsset(request: Request): boolean {
  const namesHtml = (request.headers.accept ?? '').includes('text/html');
  return classifyPath(request.path).kind === 'asset' && !namesHtml;
}

/** Whatever has a content hash in its name never changes; everything else is asked for again, cheaply by its ETag. */
function cacheControl(path: string, bundled: boolean): string {
  const name = path.replace(/\.(br|gz)$/, '');
  const inAssets = name.startsWith(`${sep}assets${sep}`);
  // A foreign build tells its hashes only by their look: a digit and a capital in eight characters.
  const hashed = bundled || /[.-](?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{8,}\.\w+$/.test(name);
  return inAssets && hashed ? 'public, max-age=31536000, immutable' : 'no-cache';
}
