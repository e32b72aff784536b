/**
 * The dashboard's files at `/`: hashed assets for ever, pages always fresh, compressed siblings where the browser takes
 * them, the entry page for every page of the single-page app, and nothing outside the directory.
 */
import { Router, type RequestHandler, type Response } from 'express';
import { realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import serveStatic from 'serve-static';
import type { DashboardFiles } from '../settings/types.ts';
import { sendError, sendMethodNotAllowed } from './errors.ts';
import { dashboardPolicy, foreignPolicy, setPolicy } from './headers.ts';
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

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isFileError(error)) return false;
    throw error;
  }
}

/** Everything that isn't the API. `directory` is asked at each request, because settings change while we run. */
export function dashboardRoutes(directory: () => DashboardDirectory | null): RequestHandler {
  const perDirectory = new WeakMap<DashboardDirectory, RequestHandler>();
  return (request, response, next) => {
    const kind = classifyPath(request.path);
    if (kind.kind === 'malformed') return sendError(response, 400, 'The path of this request cannot be decoded');
    if (kind.kind === 'reserved' || kind.kind === 'hidden') return sendError(response, 404, 'Not Found');
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendMethodNotAllowed(response);
    const served = directory();
    if (served === null) {
      return sendError(response, 404, 'The dashboard is switched off (LAB_DASHBOARD_FILES_PATH is None)');
    }
    let handler = perDirectory.get(served);
    if (!handler) perDirectory.set(served, (handler = filesOf(served)));
    handler(request, response, next);
  };
}

function filesOf({ root, bundled }: DashboardDirectory): RequestHandler {
  const policy = bundled ? dashboardPolicy : foreignPolicy;
  const files = serveStatic(root, {
    index: ['index.html'],
    dotfiles: 'ignore',
    redirect: false,
    setHeaders: (response, path) => {
      response.setHeader('Cache-Control', cacheControl(path.slice(root.length), bundled));
      setPolicy(response as Response, policy);
    },
  });
  const router = Router();
  router.use(refuseWaysOut(root));
  router.use(compressed(root, files), files);
  router.use(entryPage, compressed(root, files), files);
  router.use((_request, response) => sendError(response, 404, 'The dashboard directory has no index.html'));
  return router;
}

/** Whatever has a content hash in its name never changes; everything else is asked for again, cheaply by its ETag. */
function cacheControl(path: string, bundled: boolean): string {
  const name = path.replace(/\.(br|gz)$/, '');
  const inAssets = name.startsWith(`${sep}assets${sep}`);
  // A foreign build tells its hashes only by their look: a digit and a capital in eight characters.
  const hashed = bundled || /[.-](?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{8,}\.\w+$/.test(name);
  return inAssets && hashed ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** Symbolic links may point anywhere; only files that really lie in the directory are served. */
function refuseWaysOut(root: string): RequestHandler {
  const realRoot = realpath(root);
  realRoot.catch(() => undefined);
  return async (request, response, next) => {
    const inside = await realRoot;
    const file = join(root, decodeURIComponent(request.path));
    try {
      const real = await realpath(file);
      if (real === inside || real.startsWith(inside + sep)) return next();
    } catch (error) {
      if (isFileError(error)) return next();
      throw error;
    }
    sendError(response, 404, 'Not Found');
  };
}

/** Serves `x.js.br` for `x.js` to a browser that takes it. Ranges are of the plain file. */
function compressed(root: string, files: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const path = request.path.endsWith('/') ? `${request.path}index.html` : request.path;
    if (!compressible.has(extname(path)) || request.headers.range !== undefined) return next();
    response.vary('Accept-Encoding');
    const accepted = encodings.filter((e) => request.acceptsEncodings(e.name) === e.name);
    for (const encoding of accepted) {
      if (!(await isFile(join(root, decodeURIComponent(path) + encoding.suffix)))) continue;
      const original = request.url;
      const query = original.indexOf('?');
      request.url = path + encoding.suffix + (query === -1 ? '' : original.slice(query));
      response.type(extname(path));
      response.setHeader('Content-Encoding', encoding.name);
      files(request, response, (error?: unknown) => {
        request.url = original;
        response.removeHeader('Content-Encoding');
        response.removeHeader('Content-Type');
        next(error);
      });
      return;
    }
    next();
  };
}

/** Unknown pages are the app's own; unknown files are not there. */
const entryPage: RequestHandler = (request, response, next) => {
  const isAsset = classifyPath(request.path).kind === 'asset';
  const namesHtml = (request.headers.accept ?? '').includes('text/html');
  if (isAsset && !namesHtml) return sendError(response, 404, 'Not Found');
  request.url = '/index.html';
  next();
};

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isFileError(error)) return false;
    throw error;
  }
}

/** An error of the file system, as against one of ours. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
