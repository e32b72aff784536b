/** Composes JSON of separately encoded parts, so that one invalid part does not break the others. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { stringifyExactJson } from '../../api/exactJson.ts';

/** `value` as JSON, or `fallback` if it cannot be encoded: nested too deeply, circular, or with a BigInt in it. */
export function encodeWithFallback(value: unknown, fallback: unknown): string {
  try {
    return stringifyExactJson(value);
  } catch (error) {
    // The two errors of JSON.stringify: RangeError for depth, TypeError for circular values and BigInt.
    if (error instanceof RangeError || error instanceof TypeError) return JSON.stringify(fallback);
    throw error;
  }
}

/** An object of encoded members. */
export function joinMembers(members: readonly (readonly [name: string, text: string])[]): string {
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** A list of encoded items. */
export function joinItems(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}

/** `object` as JSON, with an already encoded member `name`. */
export function encodeWithMember(object: Readonly<Record<string, unknown>>, name: string, text: string): string {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return joinMembers(members.map(([key, value]) => [key, key === name ? text : JSON.stringify(value)] as const));
}

/** Appends the members of an encoded object to another one. Neither may be empty. */
export function mergeObjectTexts(objectJson: string, moreJson: string): string {
  return `${objectJson.slice(0, -1)},${moreJson.slice(1)}`;
}

/** The minimum length of a compressed response, in characters before the compression. */
const minCompressedLength = 4096;
const gzipAsync = promisify(gzip);

/** Sends an encoded body, compressed (outside the event loop) if it is long and the client accepts that. */
export async function sendJsonText(request: Request, response: Response, text: string): Promise<void> {
  response.vary('Accept-Encoding');
  if (text.length < minCompressedLength || !request.acceptsEncodings('gzip')) return sendWhole(request, response, text);
  const body = await gzipAsync(text, { level: 4 });
  if (response.destroyed || response.headersSent) return;
  response.setHeader('Content-Encoding', 'gzip');
  sendWhole(request, response, body);
}

/** Sends an encoded body as it is: `response.send` examines the type, the ETag and the freshness of each response. */
export function sendWhole(request: Request, response: Response, json: string | Buffer): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(json));
  if (request.method === 'HEAD') response.end();
  else response.end(json);
}
