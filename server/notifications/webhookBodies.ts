/** What is posted for a notification, by the form that the receiver takes. Pure. */
import { isLoopbackHost } from '../../api/hosts.ts';
import { labLabel } from '../../api/lab/followed.ts';
import type { LabStatus } from '../../api/lab/lab.ts';
import type { WebhookFormat } from '../settings/schema/definition.ts';
import { unnamedLab, type Notification } from './notification.ts';

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

interface SenderSettings {
  readonly managerName: string | null;
  readonly serverUrl: string;
  readonly advertisedHost: string | null;
}

/** As the settings have it, or the followed lab manager where one is followed: its lab is what is reported. */
export function senderOf(
  { managerName, serverUrl, advertisedHost }: SenderSettings,
  lab: Pick<LabStatus, 'lab_name' | 'followed'> | null,
): Sender {
  return lab?.followed === undefined
    ? { labName: managerName, url: publicUrl(serverUrl, advertisedHost) }
    : { labName: labLabel(lab, unnamedLab), url: publicUrl(lab.followed.url, null) };
}

export function webhookRequest(format: WebhookFormat, notification: Notification, sender: Sender): WebhookRequest {
  const { kind, level, title, body, path, at, since } = notification;
  const link = linkOf(path, sender);
  const names = namesOf(notification, sender.labName).map(plainForChat);
  const [name = '', ...rest] = names;
  const chat = { heading: names.join(': '), body: plainForChat(body) };
  const line = [...rest, ...(body === '' ? [] : [chat.body])].map((part) => `: ${part}`).join('');
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
          since: since === null ? null : new Date(since).toISOString(),
        }),
      };
    case 'slack':
      return {
        headers: json,
        body: JSON.stringify({
          text: `${signs[level]} *${escaped(name)}*${escaped(line)}${link === null ? '' : `\n<${link}>`}`,
        }),
      };
    case 'teams':
      return {
        headers: json,
        body: JSON.stringify({
          type: 'message',
          attachments: [teamsCard(`${signs[level]} ${chat.heading}`, chat.body, link)],
        }),
      };
    case 'ntfy':
      return {
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          title: headerText(chat.heading),
          priority: ntfyPriorities[level],
          tags: ntfyTags[level],
          ...(link === null ? {} : { click: link }),
        },
        body: body === '' ? plainForChat(title) : chat.body,
      };
  }
}

/** An adaptive card. @param body empty where the heading is all */
function teamsCard(heading: string, body: string, link: string | null) {
  return {
    contentType: 'application/vnd.microsoft.card.adaptive',
    content: {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        {
          type: 'TextBlock',
          weight: 'Bolder',
          wrap: true,
          text: heading,
        },
        ...(body === '' ? [] : [{ type: 'TextBlock', wrap: true, text: body }]),
      ],
      actions: link === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open', url: link }],
    },
  };
}

/** The lab's name and the title; the title alone where it begins with the name, as of the lab's own state. */
export function namesOf(
  { kind, title }: Pick<Notification, 'kind' | 'title'>,
  labName: string | null,
): readonly string[] {
  return kind === 'lab' && title.startsWith(labName ?? unnamedLab) ? [title] : [labName ?? 'Lab', title];
}

/** Nothing is shown in its place, and no receiver takes what it divides for one word. */
const divider = '\u200b';

/**
 * A text of the lab (names and reasons come from managers) that Slack, Mattermost, Discord, Teams and ntfy show as it is: no
 * mention, no link, no formatting. They have no common way to escape, so what would begin one is divided or replaced by its
 * look-alike; underscores within a name stay, which none of them takes for formatting.
 */
function plainForChat(text: string): string {
  return text
    .replaceAll('@', `@${divider}`)
    .replaceAll('://', `:${divider}//`)
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}${divider}.`)
    .replaceAll('](', `]${divider}(`)
    .replaceAll('||', `|${divider}|`)
    .replaceAll('*', '\u2217')
    .replaceAll('`', '\u02cb')
    .replaceAll('~', '\u223c')
    .replace(/(?<![\p{L}\d])_|_(?![\p{L}\d])/gu, '\uff3f')
    .replace(/^(\s*)([#>+-]|\d+[.)])(?=\s)/gm, `$1${divider}$2`);
}

/** Slack reads these three as its own. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Headers are bytes; ntfy reads others in RFC 2047's form, so a text that has this form already is written in it, too. */
function headerText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) && !text.includes('=?')
    ? text
    : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}
