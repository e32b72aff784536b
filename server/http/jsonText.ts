/** JSON put together of parts that are encoded each on its own, so that one that can't be doesn't spoil the rest. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** `value` as JSON, or `standIn` where it can't be written: too deep for the stack, a circle, a value JSON has no word for. */
export function encodedOr(value: unknown, fallback: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Both are what JSON.stringify throws: RangeError for depth, TypeError for circles and BigInt.
    if (error instanceof RangeError || error instanceof TypeError) return JSON.stringify(fallback);
    throw error;
  }
}

/** An object of encoded members. */
export function objectText(members: readonly (readonly [name: string, text: string])[]): string {
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** A list of encoded items. */
export function arrayText(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}

/** `object` as JSON, with the member `name` as it is encoded already. */
export function withMember(object: Readonly<Record<string, unknown>>, name: string, text: string): string {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return objectText(members.map(([key, value]) => [key, key === name ? text : JSON.stringify(value)] as const));
}

/** An encoded object with the members of another encoded object at its end. Neither may be empty. */
export function withMembersText(objectJson: string, moreJson: string): string {
  return `${objectJson.slice(0, -1)},${moreJson.slice(1)}`;
}

/** Shorter answers are sent as they are, in characters. */
const compressedFrom = 4096;
const compressed = promisify(gzip);

/** Sends an encoded body, compressed (outside the event loop) where it is long and the client accepts that. */
export async function sendJsonText(request: Request, response: Response, text: string): Promise<void> {
  response.type('json').vary('Accept-Encoding');
  if (text.length < compressedFrom || !request.acceptsEncodings('gzip')) return void response.send(text);
  const body = await compressed(text, { level: 4 });
  if (response.destroyed || response.headersSent) return;
  response.setHeader('Content-Encoding', 'gzip');
  response.send(body);
}
