/** Asks another service of the lab for a JSON object; never through a proxy, never for long. */
import http from 'node:http';
import https from 'node:https';
import { connectionFailure } from '../health/failure.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export type JsonAnswer =
  { readonly ok: true; readonly body: JsonObject } | { readonly ok: false; readonly reason: string };

/** Longest body taken, in characters: a full history of six managers is about 150,000. */
const maxLength = 4 * 1024 * 1024;

/** A JSON object at `url`, or in words why there is none. Never rejects. */
export function askJson(url: string, timeoutMs: number, signal?: AbortSignal): Promise<JsonAnswer> {
  return new Promise((resolve) => {
    const target = new URL(url);
    const limit = AbortSignal.timeout(timeoutMs);
    const fail = (reason: string) => resolve({ ok: false, reason });
    const options = { agent: false, signal: signal ? AbortSignal.any([limit, signal]) : limit };
    const request = (target.protocol === 'https:' ? https : http).get(target, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > maxLength) request.destroy();
      });
      response.on('error', () => fail('the answer broke off'));
      response.on('close', () => fail('the answer broke off'));
      response.on('end', () => {
        if (response.statusCode !== 200) return fail(`HTTP ${response.statusCode}`);
        const body = parseObject(text);
        resolve(body ? { ok: true, body } : { ok: false, reason: 'answered with something that is no JSON object' });
      });
    });
    request.on('error', (error) =>
      fail(limit.aborted ? `timed out after ${timeoutMs / 1000} s` : connectionFailure(error, target)),
    );
  });
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a page is served at `url`: status 200 and HTML. Never rejects. */
export function servesPage(url: string, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const target = new URL(url);
    const limit = AbortSignal.timeout(timeoutMs);
    const options = {
      agent: false,
      method: 'HEAD',
      headers: { accept: 'text/html' },
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    };
    const request = (target.protocol === 'https:' ? https : http).request(target, options, (response) => {
      resolve(response.statusCode === 200 && (response.headers['content-type'] ?? '').includes('text/html'));
      response.resume();
    });
    request.on('error', () => resolve(false));
    request.end();
  });
}
