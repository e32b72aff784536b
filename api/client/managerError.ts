/**
 * Failures between client and manager as one typed error. Its message is a full sentence: the failed request, the
 * address, and the manager's reason.
 */
import type { ServerKey } from './endpoint.ts';
import { managerTitle } from '../managers.ts';
import { stringifyExactJson } from '../exactJson.ts';

/**
 * - `not-sent`: the lab lacks the feature, commands are refused, or a name cannot be part of an address
 * - `unreachable`: no server responds at the address
 * - `timeout`: no complete response within the timeout
 * - `aborted`: the caller's signal aborted the request
 * - `http`: the manager refused the request; `status` is the HTTP status (200 if only the body contains the refusal)
 * - `unreadable`: the response was cut short, or the browser may not read it (a plain 500 has no CORS headers). Then it is
 * unknown whether an action was executed: check the state
 * - `not-understood`: the response does not match the contract
 */
export type ManagerErrorKind =
  'not-sent' | 'unreachable' | 'timeout' | 'aborted' | 'http' | 'unreadable' | 'not-understood';

export interface ManagerErrorFields {
  readonly kind: ManagerErrorKind;
  readonly manager: ServerKey;
  /** The name of the endpoint in its table. */
  readonly endpoint: string;
  /** The request's purpose, as in the table. */
  readonly purpose: string;
  /** The server's address. */
  readonly address: string;
  /** Whether the lab manager's relay sent the request to the server. */
  readonly isRelayed?: boolean;
  readonly status?: number | null;
  /** The manager's message, or the client's if it sent none. */
  readonly reason: string;
  /** With a 429: milliseconds until the manager accepts requests again; null if it sent none. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

export class ManagerError extends Error {
  override readonly name = 'ManagerError';
  readonly kind: ManagerErrorKind;
  readonly manager: ServerKey;
  readonly endpoint: string;
  readonly address: string;
  readonly status: number | null;
  readonly reason: string;
  readonly retryAfterMs: number | null;

  constructor(fields: ManagerErrorFields) {
    super(formatMessage(fields), { cause: fields.cause });
    this.kind = fields.kind;
    this.manager = fields.manager;
    this.endpoint = fields.endpoint;
    this.address = fields.address;
    this.status = fields.status ?? null;
    this.reason = fields.reason;
    this.retryAfterMs = fields.retryAfterMs ?? null;
  }
}

export const serverName = (server: ServerKey): string => (server === 'node' ? 'Node' : managerTitle(server));

/** `Could not pause the workflow: Workcell Manager (lab:8005) answered 404: Workflow not found` */
function formatMessage(fields: ManagerErrorFields): string {
  const { kind, purpose, status, reason } = fields;
  const server = formatServer(fields);
  const prefix = `Could not ${purpose}: `;
  switch (kind) {
    case 'http':
      return `${prefix}${server} ${status === 200 ? 'refused' : `answered ${status ?? 'an error'}`}: ${reason}`;
    case 'unreachable':
      return `${prefix}${server} cannot be reached: ${reason}`;
    case 'timeout':
      return `${prefix}${server} did not answer in time: ${reason}`;
    case 'unreadable':
      return `${prefix}no readable answer from ${server}: ${reason}`;
    case 'not-understood':
      return `${prefix}unexpected response from ${server}: ${reason}`;
    case 'aborted':
    case 'not-sent':
      return `${prefix}${reason} (${server})`;
  }
}

/** `Workcell Manager (lab:8005)`. The relay's reason may already contain the address. */
function formatServer({ manager, address, isRelayed = false, reason }: ManagerErrorFields): string {
  const host = formatAddress(address);
  const details = isRelayed ? [...(reason.includes(host) ? [] : [host]), 'through the lab manager'] : [host];
  return `${serverName(manager)} (${details.join(', ')})`;
}

/** Host and port of an address; the unchanged text if it is not an address. */
function formatAddress(address: string): string {
  return /^https?:\/\/(?:[^/@]*@)?([^/?#]+)/i.exec(address)?.[1] ?? address;
}

/** Shortens a long text of a server, such as a proxy's error page, to fit in a sentence. */
function truncate(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/**
 * The reason in an error's body: `detail` as a text or as a list of invalid parameters, `message`, `error`, or the text
 * itself. Null if there is none.
 */
export function readReason(body: unknown): string | null {
  if (typeof body === 'string') return truncate(body) || null;
  if (typeof body !== 'object' || body === null) return null;
  const { detail, message, error } = body as { detail?: unknown; message?: unknown; error?: unknown };
  if (Array.isArray(detail)) return truncate(detail.map(formatIssue).join('; ')) || null;
  const reported = [detail, message, error].find((text) => typeof text === 'string' && text.trim() !== '');
  if (typeof reported === 'string') return truncate(reported);
  return detail === undefined || detail === null ? null : truncate(stringifyExactJson(detail));
}

/** Formats one entry of a 422: `{loc: ['body', 'name'], msg: 'Field required'}` → `body.name: Field required`. */
function formatIssue(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry);
  const { loc, msg } = entry as { loc?: unknown; msg?: unknown };
  const where = Array.isArray(loc) ? loc.join('.') : '';
  const message = typeof msg === 'string' ? msg : stringifyExactJson(entry);
  return where === '' ? message : `${where}: ${message}`;
}
