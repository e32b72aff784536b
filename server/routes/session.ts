/** `/session`: reports who is signed in, signs in and out. Only this path and the relay's change anything over HTTP. */
import { stringifySetCookie } from 'cookie';
import { json, Router, type Request, type Response } from 'express';
import { signInRequest } from '../../api/lab/access.ts';
import type { Access, SessionCookie } from '../access/access.ts';
import { BusyError } from '../access/passwords.ts';
import { isCrossOrigin } from '../http/callers/sameOrigin.ts';
import { sendError, sendMethodNotAllowed } from '../http/errors.ts';
import { parseBooleanQuery } from '../http/queryParameters.ts';

const path = '/session';
/** The maximum size of the body of a sign-in, in bytes. */
const maxBodyBytes = 8192;

export function sessionRoutes(access: Access): Router {
  const router = Router({ caseSensitive: true, strict: false });
  router.all(path, (_request, response, next) =>
    access.isEnabled ? next() : sendError(response, 404, 'Not Found: remote access is off (LAB_REMOTE_ACCESS)'),
  );
  router.get(path, (request, response) => {
    const renewed = access.renewCookie(request);
    if (renewed !== null) setCookie(access, request, response, renewed);
    response.json(access.describe(request));
  });
  router.post(path, refuseSignIn(access), json({ limit: maxBodyBytes }), (request, response) =>
    signIn(access, request, response),
  );
  router.delete(path, (request, response) => signOut(access, request, response));
  router.all(path, (_request, response) => sendMethodNotAllowed(response, 'GET, HEAD, POST, DELETE'));
  return router;
}

/** Refuses a sign-in before its body, with the password, is read. */
function refuseSignIn(access: Access) {
  return (request: Request, response: Response, next: () => void): void => {
    // A page of another site could sign its reader in as another user.
    if (isCrossOrigin(request.headers)) return sendError(response, 403, 'A page of another site sent this request');
    const problem = access.signInProblem(request);
    return problem === null ? next() : sendError(response, 403, problem);
  };
}

async function signIn(access: Access, request: Request, response: Response): Promise<void> {
  // Forms of other sites cannot send this type.
  if (!request.is('application/json')) return sendError(response, 415, 'The body must be application/json');
  const body = signInRequest.safeParse(request.body);
  if (!body.success) return sendError(response, 422, 'The body must be {"name": …, "password": …, "screen": false}');
  const { name, password, screen = false } = body.data;
  try {
    const result = await access.signIn(request, { name, password, screen });
    if (!result.ok && result.waitMs === 0) return sendError(response, 401, 'The name or the password is wrong');
    if (!result.ok) {
      const seconds = Math.ceil(result.waitMs / 1000);
      return refuseForNow(response, 429, seconds, `Too many sign-ins failed: try again in ${seconds} s`);
    }
    setCookie(access, request, response, result);
    response.json(access.describe(request, result.cookie));
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
    refuseForNow(response, 503, 1, `${error.message}: try again in a moment`);
  }
}

function signOut(access: Access, request: Request, response: Response): void {
  const problem = access.forgeryProblem(request);
  if (problem !== null) return sendError(response, 403, problem);
  const everywhere = parseBooleanQuery(new URL(request.url, 'http://localhost').searchParams, 'everywhere', false);
  if (!everywhere.ok) return void response.status(422).json({ detail: [everywhere.problem] });
  const refusal = access.signOut(request, everywhere.value);
  if (refusal !== null) return sendError(response, 403, refusal);
  setCookie(access, request, response, { cookie: '', maxAge: 0 });
  response.json(access.describe(request, null));
}

function refuseForNow(response: Response, status: number, seconds: number, detail: string): void {
  response.setHeader('Retry-After', String(seconds));
  sendError(response, status, detail);
}

function setCookie(access: Access, request: Request, response: Response, { cookie, maxAge }: SessionCookie): void {
  const { secure } = request;
  response.setHeader(
    'Set-Cookie',
    stringifySetCookie({
      name: access.cookieName(request),
      value: cookie,
      maxAge,
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
      secure,
    }),
  );
}
