/** What is posted for a notification, by the form that the receiver takes. Pure. */
import { isLoopbackHost } from '../../api/hosts.ts';
import type { Notification } from './policy.ts';

export const webhookFormats = ['json', 'slack', 'teams', 'ntfy'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** Who sends, and where its dashboard is. */
export interface Sender {
  readonly labName: string | null;
  /** Where others find its dashboard, with a slash at its end; `null` where nobody said. */
  readonly url: string | null;
}

export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const signs = { problem: '\u{1F534}', recovery: '\u{1F7E2}', info: '\u{1F535}' } as const;
const ntfyTags = { problem: 'red_circle', recovery: 'green_circle', info: 'blue_circle' } as const;
const ntfyPriorities = { problem: 'high', recovery: 'default', info: 'low' } as const;
const json = { 'content-type': 'application/json' } as const;

/** `http://bench4:8000/workflows/1` */
export function linkOf(path: string, { url }: Sender): string | null {
  return url === null ? null : new URL(path.replace(/^\//, ''), url).href;
}

/** Who is elsewhere can't use an address on localhost: the advertised host stands for it, where there is one. */
export function publicUrl(serverUrl: string, advertisedHost: string | null): string | null {
  const url = new URL(serverUrl);
  if (!isLoopbackHost(url.hostname)) return url.href;
  if (advertisedHost === null || advertisedHost === 'auto') return null;
  url.hostname = advertisedHost;
  return url.href;
}

/** As the settings have it. */
export function senderOf({
  managerName,
  serverUrl,
  advertisedHost,
}: {
  readonly managerName: string | null;
  readonly serverUrl: string;
  readonly advertisedHost: string | null;
}): Sender {
  return { labName: managerName, url: publicUrl(serverUrl, advertisedHost) };
}

export function webhookRequest(format: WebhookFormat, notification: Notification, sender: Sender): WebhookRequest {
  const { kind, level, title, body, path, at } = notification;
  const link = linkOf(path, sender);
  const lab = sender.labName ?? 'Lab';
  const line = body === '' ? title : `${title}: ${body}`;
  switch (format) {
    case 'json':
      return {
        headers: json,
        body: JSON.stringify({
          version: 1,
          source: 'lab-manager',
          lab: sender.labName,
          kind,
          level,
          title,
          body,
          url: link,
          at: new Date(at).toISOString(),
        }),
      };
    case 'slack':
      return {
        headers: json,
        body: JSON.stringify({
          text: `${signs[level]} *${escaped(lab)}*: ${escaped(line)}${link === null ? '' : `\n<${link}>`}`,
        }),
      };
    case 'teams':
      return {
        headers: json,
        body: JSON.stringify({
          type: 'message',
          attachments: [
            {
              contentType: 'application/vnd.microsoft.card.adaptive',
              content: {
                $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
                type: 'AdaptiveCard',
                version: '1.4',
                body: [
                  { type: 'TextBlock', weight: 'Bolder', wrap: true, text: `${signs[level]} ${lab}: ${title}` },
                  ...(body === '' ? [] : [{ type: 'TextBlock', wrap: true, text: body }]),
                ],
                actions: link === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open', url: link }],
              },
            },
          ],
        }),
      };
    case 'ntfy':
      return {
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          title: headerText(`${lab}: ${title}`),
          priority: ntfyPriorities[level],
          tags: ntfyTags[level],
          ...(link === null ? {} : { click: link }),
        },
        body: body === '' ? title : body,
      };
  }
}

/** Slack reads these three as its own. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Headers are bytes; ntfy reads others in RFC 2047's form. */
function headerText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}

/** An address without what makes it a secret: `https://hooks.example.com/…`. */
export function shortenedAddress(address: string): string {
  return URL.canParse(address) ? `${new URL(address).origin}/…` : '…';
}
