/**
 * A typed client from a manager's endpoint table: one function per endpoint, named as in the table.
 *
 * const workcell = createClient(workcellApi, { baseUrl });
 * const workflow = await workcell.getWorkflow({ workflow_id }, { signal });
 *
 * Every failure is a `ManagerError`. Only reads are retried: after a 429, and once after the manager dropped the
 * connection. An action is sent exactly once.
 */
import { isRead, type Output, type Api, type Endpoint, type Input } from './endpoint.ts';
import { exchange, type Exchange } from './exchange.ts';
import type { LabVersion } from '../version.ts';

export interface ClientOptions {
  /** The server's address, as in `/context`; may have a path. */
  readonly baseUrl: string;
  readonly fetch?: typeof globalThis.fetch;
  /** The reason why changes are refused now; `null` if they are allowed. Reads are never refused. */
  readonly refusalReason?: () => string | null;
  /** The lab's version, or a function that returns it once it is known; null counts as 0.8. */
  readonly version?: LabVersion | null | (() => LabVersion | null);
  /** Timeout of a complete response in milliseconds, unless the endpoint table sets another one. Default 10 000. */
  readonly timeoutMs?: number;
  /**
   * Maximum total time a read waits between retries after 429 responses, in milliseconds. Default 65 000, the manager's
   * longest window.
   */
  readonly maxRetryMs?: number;
  /**
   * The `Cache-Control` header of reads, or a function that returns it for the maximum age in ms that the caller accepts.
   * Only for a server that caches responses, such as the relay: at other origins the header causes a CORS preflight.
   */
  readonly cacheControl?: string | null | ((maxAgeMs: number) => string);
  /**
   * The manager's own address, if `baseUrl` is that of the lab manager's relay. Messages then name the one that failed:
   * the manager, or the lab manager.
   */
  readonly relayedTo?: string | null | undefined;
  /** Whether cookies of this origin are sent: only to the lab manager, which identifies its users by them. */
  readonly sendsCookies?: boolean | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Timeout of each attempt of this call, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The maximum age of a cached response, in milliseconds; 0 by default. */
  readonly maxAgeMs?: number | undefined;
  /** Whether the request outlives the page that sends it. */
  readonly keepalive?: boolean | undefined;
  /**
   * For endpoints that return bytes: reads the response as a stream. Rejects only when the connection fails, and cancels
   * the body if it is not read to the end.
   */
  readonly receive?: ((response: Response) => Promise<Blob>) | undefined;
}

/** The function of one endpoint; the parameters are optional if none is required. */
type Call<E extends Endpoint> =
  Record<never, never> extends Input<E>
    ? (input?: Input<E>, options?: CallOptions) => Promise<Output<E>>
    : (input: Input<E>, options?: CallOptions) => Promise<Output<E>>;

export type Client<A extends Api> = { readonly [Name in keyof A['endpoints']]: Call<A['endpoints'][Name]> };

const defaultTimeoutMs = 10_000;
const defaultMaxRetryMs = 65_000;

/** The client of the server at `baseUrl`, with a function for each entry of its endpoint table. */
export function createClient<const A extends Api>(api: A, options: ClientOptions): Client<A> {
  const version = () => (typeof options.version === 'function' ? options.version() : (options.version ?? null));
  const cacheControl = (maxAgeMs: number) =>
    typeof options.cacheControl === 'function' ? options.cacheControl(maxAgeMs) : (options.cacheControl ?? null);
  const calls = Object.entries(api.endpoints).map(([name, endpoint]) => {
    const call = (
      input: Exchange['input'] = {},
      { signal, timeoutMs, maxAgeMs = 0, keepalive, receive }: CallOptions = {},
    ) =>
      exchange({
        server: api.server,
        name,
        endpoint,
        input,
        baseUrl: options.baseUrl,
        relayedTo: options.relayedTo ?? null,
        // Calls through `globalThis`, so that a page can replace `fetch` later.
        fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
        refusalReason: isRead(endpoint) ? null : (options.refusalReason?.() ?? null),
        version: version(),
        timeoutMs: timeoutMs ?? endpoint.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs,
        maxRetryMs: options.maxRetryMs ?? defaultMaxRetryMs,
        cacheControl: isRead(endpoint) ? cacheControl(maxAgeMs) : null,
        sendsCookies: options.sendsCookies === true,
        signal,
        keepalive,
        receive,
      });
    return [name, call] as const;
  });
  return Object.fromEntries(calls) as unknown as Client<A>;
}
