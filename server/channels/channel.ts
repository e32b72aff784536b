/** What a notification is, and what a channel that delivers it has to implement: a new channel is one file beside this one. */

export const notificationKinds = ['lab', 'manager', 'node', 'workflow_failed', 'workflow_finished'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export interface Notification {
  readonly kind: NotificationKind;
  readonly level: 'problem' | 'recovery' | 'info';
  /** The outage was reported before and has not ended. */
  readonly isReminder?: true;
  readonly title: string;
  /** The reason; may be empty. */
  readonly body: string;
  /** The page of the dashboard about it, with a leading slash. */
  readonly path: string;
  /** ms since the epoch. */
  readonly at: number;
  /** When the outage that it reports began, in ms since the epoch; `null` where it reports none. */
  readonly since: number | null;
  /** Keys of what it is about: `manager data`, `workflow 01J…`. */
  readonly subjects: readonly string[];
}

/** The lab that a notification is sent for. */
export interface Sender {
  readonly labName: string | null;
  /** The dashboard's address for other machines, with a trailing slash; `null` where there is none. */
  readonly url: string | null;
}

/** How long a receiver may take, in ms: some forward the message before they answer. */
export const deliveryTimeoutMs = 30_000;

export interface DeliveryOptions {
  /** Of this program. */
  readonly version: string;
  /** The same for each attempt to deliver the same message. */
  readonly key: string;
  /** Whether the receiver discards a message whose key it has received before. */
  readonly isIdempotent: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

export type DeliveryResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Whether the message may be sent again. */
      readonly again: boolean;
      readonly afterMs?: number;
    };

export interface Channel {
  /** What an address lacks, as the end of "has an address that …"; `null` for a valid one. */
  readonly problemOf: (address: URL) => string | null;
  /** Delivers one message once, within 30 s. Never rejects. */
  readonly deliver: (
    address: URL,
    notification: Notification,
    sender: Sender,
    options: DeliveryOptions,
  ) => Promise<DeliveryResult>;
}

/** The name in the title of a lab that has none. */
export const unnamedLab = 'The lab';

/** The lab's name and the title; only the title where it begins with the name, as in a notification of the lab's state. */
export function headingOf(
  { kind, title }: Pick<Notification, 'kind' | 'title'>,
  labName: string | null,
): readonly string[] {
  return kind === 'lab' && title.startsWith(labName ?? unnamedLab) ? [title] : [labName ?? 'Lab', title];
}

/** `http://bench4:8000/workflows/1`; `null` where no other machine can open it. */
export function linkOf(path: string, { url }: Sender): string | null {
  return url === null ? null : new URL(path.replace(/^\//, ''), url).href;
}

/** User and password of an address, decoded; a percent sign that encodes nothing is kept. */
export function credentialsOf({ username, password }: URL): { readonly user: string; readonly password: string } {
  const decoded = (part: string): string => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  };
  return { user: decoded(username), password: decoded(password) };
}
