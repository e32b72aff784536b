/**
 * Allows the dashboard in the app's window to read a node's response to a safety stop that it sends directly, without
 * the workcell manager. Nodes send no CORS headers, so browsers can't read the response.
 */

/** The commands of a safety stop and its release. */
const commands = ['safety_stop', 'lock', 'pause', 'cancel', 'reset', 'unlock', 'resume'] as const;

/** Requests whose responses are modified; all others pass unchanged. */
export const nodeCommandAddresses: string[] = commands.flatMap((command) => [
  `*://*/admin/${command}`,
  `*://*/*/admin/${command}`,
]);

interface NodeResponse {
  readonly method: string;
  readonly headers: Readonly<Record<string, string[]>>;
  /** Origin of the dashboard in use, such as `http://127.0.0.1:8000`; `null` while there is none. */
  readonly dashboardOrigin: string | null;
}

/** Returns the response's headers with access for the dashboard only; unchanged if the node sets its own rule. */
export function allowDashboardAccess({ method, headers, dashboardOrigin }: NodeResponse): Record<string, string[]> {
  const hasOwnRule = Object.keys(headers).some((name) => name.toLowerCase() === 'access-control-allow-origin');
  if (method !== 'POST' || hasOwnRule || dashboardOrigin === null) return { ...headers };
  return { ...headers, 'Access-Control-Allow-Origin': [dashboardOrigin] };
}
