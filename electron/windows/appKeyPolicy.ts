/**
 * Decides which requests contain the key of the app's window: only those that the dashboard's page itself sends to the
 * service that this app runs. Pages cannot read the key, and no other address receives it.
 */
import { appKeyHeader } from '../../api/lab/access.ts';

interface WindowRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The address of the dashboard in the window that sends it; `null` if it has none. */
  readonly dashboardUrl: string | null;
  /** The window's key at that address; `null` if it has none. */
  readonly appKey: string | null;
  /** Whether the page itself sends it, not a frame in it. */
  readonly isPage: boolean;
}

/**
 * Returns the request's headers: with the key for the service of the dashboard, and without it for every other address,
 * such as the target of a redirect.
 */
export function withAppKey({ url, headers, dashboardUrl, appKey, isPage }: WindowRequest): Record<string, string> {
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== appKeyHeader.toLowerCase());
  const isOwnService = dashboardUrl !== null && new URL(url).origin === new URL(dashboardUrl).origin;
  return {
    ...Object.fromEntries(others),
    ...(isOwnService && isPage && appKey !== null ? { [appKeyHeader]: appKey } : {}),
  };
}
