/**
 * Serves the dashboard's files at `/`: hashed assets with permanent caching, pages always revalidated, precompressed
 * files if the browser accepts them, the entry page for every page of the single-page app, and no file outside the
 * directory.
 */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { extname } from 'node:path';
import type { DashboardFiles } from '../../settings/schema/types.ts';
import { manifestPath, sendEntryPage, sendManifest } from './entryPage.ts';
import { sendError, sendMethodNotAllowed } from '../errors.ts';
import { FolderFiles, isDirectory, type OpenFile } from './folderFiles.ts';
import { dashboardPolicy, customDashboardPolicy, setPolicy } from '../headers.ts';
import { classifyPath, findApiNameBelowPrefix, pathTooLong } from './paths.ts';
import { sendOpenFile } from './sendOpenFile.ts';

/** A directory of built dashboard files, and whether they are the bundled ones. */
export interface DashboardDirectory {
  readonly root: string;
  readonly isBundled: boolean;
}

/** Encodings of the precompressed files from the build, best first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

const compressibleExtensions = new Set([
  '.html',
  '.js',
  '.mjs',
  '.css',
  '.svg',
  '.json',
  '.txt',
  '.map',
  '.webmanifest',
]);

/** The directory to serve, or `null` if there is none; the bundled dashboard replaces a missing directory. */
export async function findDashboardDirectory(
  files: DashboardFiles,
  bundledRoot: string,
): Promise<DashboardDirectory | null> {
  if (files.kind === 'none') return null;
  if (files.kind === 'directory' && (await isDirectory(files.path))) return { root: files.path, isBundled: false };
  return (await isDirectory(bundledRoot)) ? { root: bundledRoot, isBundled: true } : null;
}

/**
 * Serves all paths outside the API. `directory` and `labName` are called at each request, because settings change while
 * the service runs.
 */
export function dashboardRoutes(
  directory: { readonly value: DashboardDirectory | null },
  labName: () => string | null,
): RequestHandler {
  const handlers = new WeakMap<DashboardDirectory, RequestHandler>();
  return (request, response, next) => {
    const { kind } = classifyPath(request.path);
    if (kind === 'long') return sendError(response, 414, pathTooLong);
    if (kind === 'malformed') return sendError(response, 400, 'The path of this request cannot be decoded');
    if (kind === 'reserved' || kind === 'hidden') return sendError(response, 404, 'Not Found');
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendMethodNotAllowed(response);
    const current = directory.value;
    if (current === null) {
      return sendError(
        response,
        404,
        'There is no dashboard: LAB_DASHBOARD_FILES_PATH is None, or the bundled files are missing',
      );
    }
    let handler = handlers.get(current);
    if (!handler) handlers.set(current, (handler = createHandler(current, labName)));
    // Returned, so that a rejection reaches the router and its error handler.
    return handler(request, response, next);
  };
}

function createHandler({ root, isBundled }: DashboardDirectory, labName: () => string | null): RequestHandler {
  const files = new FolderFiles(root);
  const policy = isBundled ? dashboardPolicy : customDashboardPolicy;
  const send = (file: OpenFile, [request, response, next]: Parameters<RequestHandler>) => {
    response.setHeader('Cache-Control', getCacheControl(file.path, isBundled));
    setPolicy(response, policy);
    return sendCompressed(files, file, request, response, next);
  };
  return async (request, response, next) => {
    const file = await files.open(decodeURIComponent(request.path), response);
    if (file !== null && isBundled && request.path === manifestPath) {
      setPolicy(response, policy);
      return sendManifest(file, labName(), request, response);
    }
    if (file !== null) return send(file, [request, response, next]);
    // Unknown pages are routes of the app; unknown files are 404.
    const acceptsHtml = (request.headers.accept ?? '').includes('text/html');
    if (!acceptsHtml && classifyPath(request.path).kind === 'asset') return sendError(response, 404, 'Not Found');
    const apiName = acceptsHtml ? null : findApiNameBelowPrefix(request.path);
    if (apiName !== null)
      return sendError(response, 404, `Not Found: /${apiName} is below no prefix; a proxy has to remove its own`);
    const entry = await files.open('/index.html', response);
    if (entry === null) return sendError(response, 404, 'The dashboard directory has no index.html');
    const depth = request.path.split('/').length - 2;
    if (!isBundled || depth === 0) return send(entry, [request, response, next]);
    setPolicy(response, policy);
    await sendEntryPage(entry, depth, request, response);
  };
}

/** Sends a file of the folder, or its precompressed version if the browser accepts it. Ranges apply to the plain file. */
async function sendCompressed(
  files: FolderFiles,
  file: OpenFile,
  request: Request,
  response: Response,
  next: NextFunction,
): Promise<void> {
  if (compressibleExtensions.has(extname(file.path)) && request.headers.range === undefined) {
    response.vary('Accept-Encoding');
    const accepted = encodings.filter(({ name }) => request.acceptsEncodings(name) === name);
    for (const { name, suffix } of accepted) {
      const sibling = await files.open(file.path + suffix, response);
      if (sibling === null) continue;
      response.type(extname(file.path));
      response.setHeader('Content-Encoding', name);
      return sendOpenFile(sibling, request, response, next);
    }
  }
  sendOpenFile(file, request, response, next);
}

/** Files with a content hash in their names never change; others are revalidated by their ETag. */
function getCacheControl(path: string, isBundled: boolean): string {
  const name = path.replace(/\.(br|gz)$/, '');
  const inAssets = name.startsWith('/assets/');
  // In a custom dashboard, hashes are recognised by their form: a digit and a capital in eight characters.
  const hasHash = isBundled || /[.-](?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{8,}\.\w+$/.test(name);
  return inAssets && hasHash ? 'public, max-age=31536000, immutable' : 'no-cache';
}
