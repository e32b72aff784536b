/**
 * The formats of the messages that are posted to webhooks, one record each. A new format is a record here; the settings,
 * `--notify-test` and the Settings window derive from the table at the end.
 */
import { incidentKey, buildLink } from './channel.ts';
import { chatTexts, levelSigns, plainForChat } from './chatText.ts';
import { webhookChannel } from './webhook.ts';

/** The lab manager's own JSON format, for programs of the lab. The guide documents its schema. */
const json = webhookChannel(({ kind, level, title, body, path, at, since, incidents }, sender, key) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    version: 1,
    source: 'lab-manager',
    lab: sender.labName,
    kind,
    level,
    title,
    body,
    url: buildLink(path, sender),
    at: new Date(at).toISOString(),
    since: since === null ? null : new Date(since).toISOString(),
    key,
    incidents: incidents.map((incident) => incidentKey([incident], sender)),
  }),
}));

/** Escapes the three characters that Slack interprets. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Incoming webhooks of Slack and Mattermost, and of Discord with `/slack` at the end of the address. */
const slack = webhookChannel((notification, sender) => {
  const link = buildLink(notification.path, sender);
  const { heading, body } = chatTexts(notification, sender);
  const [name = '', ...rest] = heading;
  const line = [...rest, ...(body === '' ? [] : [body])].map((part) => `: ${part}`).join('');
  const text = `${levelSigns[notification.level]} *${escapeMarkup(name)}*${escapeMarkup(line)}`;
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: link === null ? text : `${text}\n<${link}>` }),
  };
});

/** Workflows of Microsoft Teams that start at a webhook request: an Adaptive Card. */
const teams = webhookChannel((notification, sender) => {
  const link = buildLink(notification.path, sender);
  const { heading, body } = chatTexts(notification, sender);
  const title = `${levelSigns[notification.level]} ${heading.join(': ')}`;
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', weight: 'Bolder', wrap: true, text: title },
      ...(body === '' ? [] : [{ type: 'TextBlock', wrap: true, text: body }]),
    ],
    actions: link === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open', url: link }],
  };
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }],
    }),
  };
});

const tags = { problem: 'red_circle', recovery: 'green_circle', info: 'blue_circle' } as const;
const priorities = { problem: 'high', recovery: 'default', info: 'low' } as const;

/**
 * Encodes a header value: headers are bytes, and ntfy decodes RFC 2047, so a text that already looks encoded is encoded
 * too.
 */
function headerText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) && !text.includes('=?')
    ? text
    : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}

/** A topic of ntfy, which delivers to phones. */
const ntfy = webhookChannel((notification, sender) => {
  const link = buildLink(notification.path, sender);
  const { heading, body } = chatTexts(notification, sender);
  return {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: headerText(heading.join(': ')),
      priority: priorities[notification.level],
      tags: tags[notification.level],
      ...(link === null ? {} : { click: link }),
    },
    body: body === '' ? plainForChat(notification.title) : body,
  };
});

/** Webhook channels by the format of the posted message. */
export const webhookChannels = { json, slack, teams, ntfy };
export type WebhookFormat = keyof typeof webhookChannels;
export const webhookFormats = Object.keys(webhookChannels) as readonly WebhookFormat[];
