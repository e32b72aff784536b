/**
 * Serves the user guide at `/help/`, for messages of the dashboard in a browser without the app. It belongs to the
 * bundled dashboard: a custom dashboard may use the path for its own pages.
 */
import { Router, type RequestHandler } from 'express';
import { guideEntries, guideFolder, type GuideEntry } from '#api/guide.ts';
import { sendError, sendMethodNotAllowed } from '../errors.ts';
import { guidePolicy, setPolicy } from '../headers.ts';
import { FolderFiles } from './folderFiles.ts';
import { classifyPath } from './paths.ts';
import { sendOpenFile } from './sendOpenFile.ts';
import { pathToFileURL } from 'node:url';
import { sep } from 'node:path';

const path = `/${guideFolder.replace(/\/$/, '')}`;

/**
 * @param root directory with the built pages
 * @param isServed called at each request, because settings change while the service runs
 */
export function guideRoutes(root: string, isServed: () => boolean): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(path, skipUnless(isServed));
  router.get(path, (_request, response) => response.redirect(302, `.${path}/`));
  const files = new FolderFiles(root);
  router.use(path, async (request, response, next) => {
    const { kind } = classifyPath(request.path);
    const isFileRequest =
      (request.method === 'GET' || request.method === 'HEAD') && (kind === 'page' || kind === 'asset');
    const file = isFileRequest ? await files.open(decodeURIComponent(request.path), response) : null;
    if (file === null) return next();
    response.setHeader('Cache-Control', 'no-cache');
    setPolicy(response, guidePolicy);
    return sendOpenFile(file, request, response, next);
  });
  router.use(path, (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendMethodNotAllowed(response);
    return sendError(response, 404, 'Not Found: the user guide begins at /help/');
  });
  return router;
}

function skipUnless(isServed: () => boolean): RequestHandler {
  return (_request, _response, next) => (isServed() ? next() : next('router'));
}

/** The address of `page.html#anchor` in this machine's user guide, for a browser. @param folder full path of the pages */
export function getGuideAddress(page: string, folder: string): string {
  return new URL(page, pathToFileURL(`${folder}${sep}`)).href;
}

/** The line below a message: `Help: file:///opt/lab-manager/…/troubleshooting.html#settings`. */
export function formatGuideHint(entry: GuideEntry, folder: string): string {
  return `Help: ${getGuideAddress(guideEntries[entry], folder)}`;
}
