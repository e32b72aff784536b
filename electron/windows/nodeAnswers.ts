/**
 * Lets the dashboard in our window read what a node answers to a safety stop that it sends straight to it, past a
 * workcell manager that is gone. Nodes send no CORS headers, so elsewhere the answer can't be read. Pure.
 */

/** What a safety stop and its release send to nodes. */
const commands = ['safety_stop', 'lock', 'pause', 'cancel', 'reset', 'unlock', 'resume'] as const;

/** Requests whose answers are looked at; everything else passes untouched. */
export const nodeCommandAddresses: string[] = commands.flatMap((command) => [
  `*://*/admin/${command}`,
  `*://*/*/admin/${command}`,
]);

interface NodeAnswer {
  readonly method: string;
  readonly headers: Readonly<Record<string, string[]>>;
  /** Origin of the dashboard in use, as `http://127.0.0.1:8000`; `null` while there is none. */
  readonly dashboardOrigin: string | null;
}

/** The answer's headers with leave to read it for the dashboard alone; as they are where the node has its own rule. */
export function readableForDashboard({ method, headers, dashboardOrigin }: NodeAnswer): Record<string, string[]> {
  const hasRule = Object.keys(headers).some((name) => name.toLowerCase() === 'access-control-allow-origin');
  if (method !== 'POST' || hasRule || dashboardOrigin === null) return { ...headers };
  return { ...headers, 'Access-Control-Allow-Origin': [dashboardOrigin] };
}
