/** Attaches the policies to every web contents there ever is: what nobody allowed is refused. */
import { app, session, shell, type Session, type WebContents } from 'electron';
import type { Log } from '../../server/log.ts';
import { shellOrigin } from './addresses.ts';
import { decideNavigation } from './navigationPolicy.ts';
import { nodeStopAddresses, readableForDashboard } from './nodeAnswers.ts';
import { isPermissionGranted } from './permissionPolicy.ts';

/**
 * @param dashboardOrigin the origin of the dashboard in use, asked at each decision
 */
export function guardAllContents(dashboardOrigin: () => string | null, log: Log): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents, dashboardOrigin, log));
}

/** The session's permissions and proxy (the lab's addresses are reached directly), and whose answers may be read. */
export function guardSession(dashboardOrigin: () => string | null): void {
  const used = session.defaultSession;
  guardPermissions(used, dashboardOrigin);
  // In force long before the service listens and there is an address to load.
  void used.setProxy({ mode: 'direct' });
  used.webRequest.onHeadersReceived({ urls: nodeStopAddresses }, ({ method, responseHeaders = {} }, answer) =>
    answer({
      responseHeaders: readableForDashboard({ method, headers: responseHeaders, dashboardOrigin: dashboardOrigin() }),
    }),
  );
}

function guardContents(contents: WebContents, dashboardOrigin: () => string | null, log: Log): void {
  const decide = (url: string, newWindow: boolean) => {
    const decision = decideNavigation({ url, dashboardOrigin: dashboardOrigin(), newWindow });
    if (decision === 'open-external') openExternal(url, log);
    if (decision === 'deny') log.warn(`Refused to open ${url}`);
    return decision;
  };
  contents.on('will-navigate', (event) => {
    if (decide(event.url, false) !== 'allow') event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (decide(event.url, false) !== 'allow') event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    const isOwn =
      decideNavigation({ url: event.url, dashboardOrigin: dashboardOrigin(), newWindow: false }) === 'allow';
    if (!event.isMainFrame && !isOwn) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    decide(url, true);
    return { action: 'deny' };
  });
}

function openExternal(url: string, log: Log): void {
  shell.openExternal(url).catch((error: unknown) => log.warn(`The system could not open ${url}: ${String(error)}`));
}

function guardPermissions(used: Session, dashboardOrigin: () => string | null): void {
  const own = () => [shellOrigin, dashboardOrigin()].filter((origin) => origin !== null);
  used.setPermissionRequestHandler((contents, permission, answer) => {
    answer(isPermissionGranted(permission, originOf(contents.getURL()), own()));
  });
  used.setPermissionCheckHandler((_contents, permission, origin) =>
    isPermissionGranted(permission, originOf(origin), own()),
  );
  used.setDevicePermissionHandler(() => false);
}

/** Chromium gives origins with a slash at the end, and none for a scheme it doesn't know. */
function originOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { origin, protocol, host } = new URL(url);
  return origin === 'null' ? `${protocol}//${host}` : origin;
}
