/**
 * The type of a notification, and the interface of a channel that delivers it: a new channel is one file in this folder.
 */
import { createHash } from 'node:crypto';

export const notificationKinds = [
  'lab',
  'manager',
  'node',
  'workflow_failed',
  'step_overdue',
  'workflow_finished',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export interface Notification {
  readonly kind: NotificationKind;
  readonly level: 'problem' | 'recovery' | 'info';
  /** Marks a repeated report of an outage that has not ended. */
  readonly isReminder?: true;
  readonly title: string;
  /** The reason; may be empty. */
  readonly body: string;
  /** The dashboard page about the subject, with a leading slash. */
  readonly path: string;
  /** ms since the epoch. */
  readonly at: number;
  /** Start of the outage that it reports, in ms since the epoch; `null` if it reports none. */
  readonly since: number | null;
  /** Keys of the subjects that it is about: `manager data`, `workflow 01J…`. */
  readonly subjects: readonly string[];
  /**
   * IDs of the incidents that it reports, equal on all servers of the lab: `problem manager data 2026-…`. Empty for a
   * test message.
   */
  readonly incidents: readonly string[];
}

/** The lab that sends a notification. */
export interface SendingLab {
  readonly labName: string | null;
  /** The dashboard's address for other machines, with a trailing slash; `null` if there is none. */
  readonly url: string | null;
}

/**
 * The key of a message about these incidents of the sender's lab: 32 hexadecimal digits, equal on all servers of the lab.
 */
export function incidentKey(incidents: readonly string[], { url, labName }: SendingLab): string {
  const text = [url ?? labName ?? '', ...incidents.toSorted()].join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Timeout of a delivery in ms: some receivers forward the message before they respond. */
export const deliveryTimeoutMs = 30_000;

export interface DeliveryOptions {
  /** The version of this program. */
  readonly version: string;
  /** The same for all attempts to deliver one message, also by another server of the lab. */
  readonly key: string;
  /** Whether the receiver discards a message with a known key. */
  readonly isIdempotent: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

export type DeliveryResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Whether a retry is allowed. */
      readonly isRetryable: boolean;
      /** The minimum delay of a retry that the receiver requested, in ms. */
      readonly afterMs?: number;
    };

export interface Channel {
  /** The problem of an address, as the end of "has an address that …"; `null` for a valid one. */
  readonly findProblem: (address: URL) => string | null;
  /** Delivers one message once, with a timeout of 30 s. Never rejects. */
  readonly deliver: (
    address: URL,
    notification: Notification,
    sender: SendingLab,
    options: DeliveryOptions,
  ) => Promise<DeliveryResult>;
}

/** The name in titles for a lab without a name. */
export const unnamedLab = 'The lab';

/** The parts of a heading: the lab's name and the title, or only a title about the lab that starts with the name. */
export function headingParts(
  { kind, title }: Pick<Notification, 'kind' | 'title'>,
  labName: string | null,
): readonly string[] {
  return kind === 'lab' && title.startsWith(labName ?? unnamedLab) ? [title] : [labName ?? 'Lab', title];
}

/** `http://bench4:8000/workflows/1`; `null` if no other machine can open it. */
export function buildLink(path: string, { url }: SendingLab): string | null {
  return url === null ? null : new URL(path.replace(/^\//, ''), url).href;
}

/** User and password of an address, decoded; an invalid percent encoding stays unchanged. */
export function decodeCredentials({ username, password }: URL): { readonly user: string; readonly password: string } {
  const decoded = (part: string): string => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  };
  return { user: decoded(username), password: decoded(password) };
}
