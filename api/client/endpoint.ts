/**
 * The type of a manager's table of endpoints. From such a table come the types of parameters, bodies and answers, the
 * client (`client.ts`), the demo lab's routes and the comparison with MADSci's own OpenAPI files.
 */
import type * as z from 'zod/mini';
import type { RecordList } from './badRecords.ts';
import type { ServiceKey } from '../managers.ts';

/** Who serves a table: the lab manager, one of the six managers, or a node. */
export type ServerKey = ServiceKey | 'node';

type Schema = z.ZodMiniType;

/** A body of one JSON value. `optional`: the request may also come without. */
interface JsonBody {
  readonly type: 'json';
  readonly schema: Schema;
  readonly optional?: true;
}

/**
 * A form with files (`multipart/form-data`). Text fields are sent as they are, everything else as JSON text; null and
 * undefined are left out. Each file becomes a part named `part` whose **filename is its key** in `files`: that is how
 * the workcell manager learns which file parameter a part is for.
 */
interface MultipartBody {
  readonly type: 'multipart';
  readonly fields: Schema;
  readonly files: { readonly part: string };
}

export interface Endpoint {
  /** What the request does, as it ends the sentence "Could not …". */
  readonly does: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With the names of its parameters in braces; every one is a text. */
  readonly path: `/${string}`;
  /** The path in a 0.7 lab, where it differs; its parameters are asked for too. */
  readonly path07?: `/${string}`;
  /** The lab version that brought the endpoint, where it isn't in 0.7. */
  readonly since?: '0.8';
  /** Its keys are the names; a parameter that is not among them is not sent. */
  readonly query?: z.ZodMiniObject;
  readonly body?: JsonBody | MultipartBody;
  /** The body of status 200; `blob` where it is bytes of any type. */
  readonly response: Schema | 'blob';
  /** Where its answer has records: one that can't be read is left out, and the rest is taken. */
  readonly lists?: readonly RecordList[];
  /** A body of status 200 that says no, such as `"Node not found!"`. */
  readonly refusal?: Schema;
  /** The documented errors: what the manager says with each status. 422, 429 and a bare 500 may come from any. */
  readonly errors?: Readonly<Record<number, string>>;
  /** A POST that only reads, so it may be asked again. Every GET may. */
  readonly reads?: true;
  /** The reason given with a 404 that only means "nothing is there": answered as an empty list. */
  readonly empty404?: string;
  /** Where an answer may take longer than the client's usual deadline: milliseconds. */
  readonly deadlineMs?: number;
}

/** A server's whole table; the key is the endpoint's name and the name of the client's function. */
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

/** One object type of an intersection; nothing at all is an object without keys, so that a stray one is an error. */
type Flat<T> = keyof T extends never ? Record<string, never> : { [K in keyof T]: T[K] };

/** What a call of the endpoint needs: path and query parameters by name, the JSON value or fields as `body`, `files`. */
export type Input<E extends Endpoint> = Flat<PathInput<E> & QueryInput<E> & BodyInput<E>>;

/** What a call of the endpoint answers. */
export type Answer<E extends Endpoint> = E['response'] extends infer R extends Schema ? z.output<R> : Blob;

/** The values a query parameter may have; null and undefined are left out. */
export type QueryValue = string | number | boolean | null | undefined;

/** The parameters of a path, in order: `/a/{b}/c/{d}` → `['b', 'd']`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

/** Whether the endpoint only reads, so that asking twice does no harm. */
export function isRead(endpoint: Endpoint): boolean {
  return endpoint.method === 'GET' || endpoint.reads === true;
}
