/**
 * A typed client from a manager's table: one function per endpoint, named as in the table.
 *
 *     const workcell = createClient(workcellApi, { baseUrl });
 *     const workflow = await workcell.getWorkflow({ workflow_id }, { signal });
 *
 * Every failure is a `ManagerError`. Only what reads is ever asked twice: after a 429, and once after a connection that
 * the manager dropped. An action is sent once, whatever happens.
 */
import { isRead, type Answer, type Api, type Endpoint, type Input } from './endpoint.ts';
import { exchange, type Exchange } from './exchange.ts';
import type { LabVersion } from '../version.ts';

export interface ClientOptions {
  /** The server's address, as in `/context`; may have a path. */
  readonly baseUrl: string;
  readonly fetch?: typeof globalThis.fetch;
  /** The lab's version, or a function that knows it later; null counts as 0.8 until it is known. */
  /** Why nothing may be changed now; `null` when it may. Reads are not refused. */
  readonly refusal?: () => string | null;
  readonly version?: LabVersion | null | (() => LabVersion | null);
  /** For a whole answer, where the table says nothing else: milliseconds. Default 10 000. */
  readonly deadlineMs?: number;
  /** How long a read waits in all when the manager answers 429: milliseconds. Default 65 000, its longest window. */
  readonly timeoutMs?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** For this call: milliseconds. It holds for each attempt. */
  readonly deadlineMs?: number | undefined;
  /** The request outlives the page that sends it. */
  readonly keepalive?: boolean | undefined;
  /**
   * Of an endpoint that answers bytes: takes them as they come, in place of all of them at once. It rejects only when the
   * connection fails, and cancels the body of an answer that it doesn't read to its end.
   */
  readonly receive?: ((response: Response) => Promise<Blob>) | undefined;
}

/** One endpoint's function; the parameters may be left out where none is needed. */
type Call<E extends Endpoint> =
  Record<never, never> extends Input<E>
    ? (input?: Input<E>, options?: CallOptions) => Promise<Answer<E>>
    : (input: Input<E>, options?: CallOptions) => Promise<Answer<E>>;

export type Client<A extends Api> = { readonly [Name in keyof A['endpoints']]: Call<A['endpoints'][Name]> };

const usualDeadlineMs = 10_000;
const defaultTimeoutMs = 65_000;

/** The client of the server at `baseUrl`, with a function for each endpoint of its table. */
export function createClient<const A extends Api>(api: A, options: ClientOptions): Client<A> {
  const version = () => (typeof options.version === 'function' ? options.version() : (options.version ?? null));
  const calls = Object.entries(api.endpoints).map(([name, endpoint]) => {
    const call = (input: Exchange['input'] = {}, { signal, deadlineMs, keepalive, receive }: CallOptions = {}) =>
      exchange({
        server: api.server,
        name,
        endpoint,
        input,
        baseUrl: options.baseUrl,
        // Called through `globalThis`, so that a page may replace it later.
        fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
        refusal: isRead(endpoint) ? null : (options.refusal?.() ?? null),
        version: version(),
        deadlineMs: deadlineMs ?? endpoint.deadlineMs ?? options.deadlineMs ?? usualDeadlineMs,
        timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
        signal,
        keepalive,
        receive,
      });
    return [name, call] as const;
  });
  return Object.fromEntries(calls) as unknown as Client<A>;
}
