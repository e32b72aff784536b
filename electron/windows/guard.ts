/** Applies the policies to every web contents: anything not explicitly allowed is denied. */
import { app, session, type OnBeforeSendHeadersListenerDetails, type Session, type WebContents } from 'electron';
import { errorText } from '../../api/errorText.ts';
import type { Log } from '../../server/logging/log.ts';
import { openAddress } from './openExternal.ts';
import { appKeyFor, dashboardOriginFor, dashboardUrlFor, shellOrigin } from '../ipc/ownPages.ts';
import { withAppKey } from './appKeyPolicy.ts';
import { decideNavigation, isPermissionGranted } from './pagePolicy.ts';
import { nodeCommandAddresses, allowDashboardAccess } from './nodeCors.ts';
import { tryParseUrl } from '../../api/url.ts';

/** @param openGuide shows a page of the user guide, by its address at a service */
export function guardAllContents(log: Log, openGuide: (url: URL) => void): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents, log, openGuide));
}

/**
 * Sets the session's permissions, its proxy (the lab's addresses are reached directly), the requests that identify the
 * app's window, and the responses that pages may read.
 */
export function guardSession(): void {
  const appSession = session.defaultSession;
  guardPermissions(appSession);
  // Takes effect long before the service listens and an address can be loaded.
  void appSession.setProxy({ mode: 'direct' });
  appSession.webRequest.onBeforeSendHeaders((details, respond) => {
    const { url, requestHeaders, webContentsId } = details;
    const identity = { dashboardUrl: dashboardUrlFor(webContentsId), appKey: appKeyFor(webContentsId) };
    respond({
      requestHeaders: withAppKey({ url, headers: requestHeaders, isPage: isFromMainFrame(details), ...identity }),
    });
  });
  appSession.webRequest.onHeadersReceived(
    { urls: nodeCommandAddresses },
    ({ method, responseHeaders = {}, webContentsId }, respond) =>
      respond({
        responseHeaders: allowDashboardAccess({
          method,
          headers: responseHeaders,
          dashboardOrigin: dashboardOriginFor(webContentsId),
        }),
      }),
  );
}

function isFromMainFrame(details: OnBeforeSendHeadersListenerDetails): boolean {
  try {
    return details.frame?.parent === null;
  } catch {
    // The frame ended after it had sent the request.
    return false;
  }
}

function guardContents(contents: WebContents, log: Log, openGuide: (url: URL) => void): void {
  const decide = (url: string, newWindow: boolean) => {
    const decision = decideNavigation({ url, dashboardUrl: dashboardUrlFor(contents.id), newWindow });
    if (decision === 'open-external') {
      openAddress(url).catch((error: unknown) => log.warn(errorText(error)));
    }
    if (decision === 'open-guide') openGuide(new URL(url));
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
    const request = { url: event.url, dashboardUrl: dashboardUrlFor(contents.id), newWindow: false };
    if (!event.isMainFrame && decideNavigation(request) !== 'allow') event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    decide(url, true);
    return { action: 'deny' };
  });
}

function guardPermissions(guardedSession: Session): void {
  const allowedOrigins = (contents: WebContents | null) =>
    [shellOrigin, dashboardOriginFor(contents?.id)].filter((origin) => origin !== null);
  guardedSession.setPermissionRequestHandler((contents, permission, respond) => {
    respond(isPermissionGranted(permission, parseOrigin(contents.getURL()), allowedOrigins(contents)));
  });
  guardedSession.setPermissionCheckHandler((contents, permission, origin) =>
    isPermissionGranted(permission, parseOrigin(origin), allowedOrigins(contents)),
  );
  guardedSession.setDevicePermissionHandler(() => false);
}

/** Chromium returns origins with a trailing slash, and none for an unknown scheme. */
function parseOrigin(url: string): string {
  const parsed = tryParseUrl(url);
  if (parsed === null) return '';
  return parsed.origin === 'null' ? `${parsed.protocol}//${parsed.host}` : parsed.origin;
}
