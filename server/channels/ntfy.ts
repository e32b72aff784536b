/** Topics of ntfy, for phones. */
import { linkOf } from './channel.ts';
import { chatTexts, plainForChat } from './chatText.ts';
import { webhookChannel } from './webhook.ts';

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

export const ntfy = webhookChannel((notification, sender) => {
  const link = linkOf(notification.path, sender);
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
