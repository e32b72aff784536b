/**
 * The type of a manager's endpoint table. The types of parameters, bodies and responses, the client (`client.ts`), the
 * routes of the demo lab and the comparison with MADSci's OpenAPI files derive from it.
 */
import type * as z from 'zod/mini';
import type { RecordList } from './invalidRecords.ts';
import type { ServiceKey } from '../managers.ts';

/** The server of a table: the lab manager, one of the six managers, or a node. */
export type ServerKey = ServiceKey | 'node';

type Schema = z.ZodMiniType;

/** A body of one JSON value. `optional`: the body may be omitted. */
interface JsonBody {
  readonly type: 'json';
  readonly schema: Schema;
  readonly optional?: true;
}

/**
 * A form with files (`multipart/form-data`). Text fields are sent unchanged, all others as JSON text; null and undefined
 * are omitted. Each file becomes a part named `part` whose **filename is its key** in `files`: the workcell manager
 * identifies the file parameter by it.
 */
interface MultipartBody {
  readonly type: 'multipart';
  readonly fields: Schema;
  readonly files: { readonly part: string };
}

export interface Endpoint {
  /** The request's purpose, as the end of the sentence "Could not …". */
  readonly purpose: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path with the names of its parameters in braces; each parameter is a string. */
  readonly path: `/${string}`;
  /** The path in a 0.7 lab if it differs; its parameters are required too. */
  readonly path07?: `/${string}`;
  /** The lab version that introduced the endpoint, if 0.7 lacks it. */
  readonly since?: '0.8';
  /** Its keys are the parameter names; other parameters are not sent. */
  readonly query?: z.ZodMiniObject;
  readonly body?: JsonBody | MultipartBody;
  /** The body of status 200; `blob` for bytes of any type. */
  readonly response: Schema | 'blob';
  /** The lists of records in the response: an invalid record is omitted, the others are used. */
  readonly lists?: readonly RecordList[];
  /** The body of a refusal with status 200, such as `"Node not found!"`. */
  readonly refusal?: Schema;
  /** The documented errors: the manager's message by status. Any endpoint can respond with 422, 429 or a plain 500. */
  readonly errors?: Readonly<Record<number, string>>;
  /** Marks a POST that only reads: like every GET, it can be retried. */
  readonly reads?: true;
  /** The reason of a 404 that only means an empty result: returned as an empty list. */
  readonly empty404?: string;
  /** Whether the server responds with 304 while its response is unchanged, so that the browser keeps it. */
  readonly isRevalidated?: true;
  /** Timeout of the response in milliseconds, if it is not the client's default. */
  readonly timeoutMs?: number;
}

/** A server's complete table; the key is the name of the endpoint and of the client's function. */
export interface Api {
  readonly server: ServerKey;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
}

type PathNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;

type PathInput<E> = {
  readonly [
    Name in
      | PathNames<E extends { readonly path: infer P } ? P : never>
      | PathNames<E extends { readonly path07: infer P } ? P : never>
  ]: string;
};

type QueryInput<E> = E extends { readonly query: infer Q extends Schema } ? z.input<Q> : unknown;

/** The files of a form: filename → content. */
export type Files = Readonly<Record<string, Blob>>;

type BodyInput<E> = E extends { readonly body: infer B }
  ? B extends { readonly type: 'json'; readonly schema: infer S extends Schema }
    ? B extends { readonly optional: true }
      ? { readonly body?: z.input<S> | undefined }
      : { readonly body: z.input<S> }
    : B extends { readonly type: 'multipart'; readonly fields: infer F extends Schema }
      ? { readonly body: z.input<F>; readonly files?: Files | undefined }
      : never
  : unknown;

/** Merges an intersection into one object type; an empty one allows no keys, so that an unknown key is an error. */
type Flatten<T> = keyof T extends never ? Record<string, never> : { [K in keyof T]: T[K] };

/** The input of a call: path and query parameters by name, the JSON value or fields as `body`, and `files`. */
export type Input<E extends Endpoint> = Flatten<PathInput<E> & QueryInput<E> & BodyInput<E>>;

/** The result of a call. */
export type Output<E extends Endpoint> = E['response'] extends infer R extends Schema ? z.output<R> : Blob;

/** The possible values of a query parameter; null and undefined are omitted. */
export type QueryValue = string | number | boolean | null | undefined;

/** The parameters of a path, in order: `/a/{b}/c/{d}` → `['b', 'd']`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

/** Whether the endpoint only reads, so that a retry is harmless. */
export function isRead(endpoint: Endpoint): boolean {
  return endpoint.method === 'GET' || endpoint.reads === true;
}
