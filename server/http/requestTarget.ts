/** Requests whose target or host is no address of a page: everything behind this may parse them without a failure. */
import type { RequestHandler } from 'express';
import { sendError } from './errors.ts';

/** Refuses targets other than a path or an absolute http(s) address, and more than one Host header. */
export const requestTarget: RequestHandler = (request, response, next) => {
  if (!isTarget(request.url)) return sendError(response, 400, 'The target of the request is not a path');
  const { rawHeaders } = request;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  // Node keeps the first, a proxy before it may have decided by the second.
  if (hosts > 1) return sendError(response, 400, 'The request has more than one Host header');
  next();
};

function isTarget(target: string): boolean {
  if (target.startsWith('/')) return URL.canParse(`http://localhost${target}`);
  return /^https?:\/\//i.test(target) && URL.canParse(target);
}
