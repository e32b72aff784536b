/** Incoming webhooks of Slack and Mattermost, and of Discord with `/slack` at the end of the address. */
import { linkOf } from './channel.ts';
import { chatTexts, levelSigns } from './chatText.ts';
import { webhookChannel } from './webhook.ts';

/** Escapes the three characters that Slack interprets. */
function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export const slack = webhookChannel((notification, sender) => {
  const link = linkOf(notification.path, sender);
  const { heading, body } = chatTexts(notification, sender);
  const [name = '', ...rest] = heading;
  const line = [...rest, ...(body === '' ? [] : [body])].map((part) => `: ${part}`).join('');
  const text = `${levelSigns[notification.level]} *${escapeMrkdwn(name)}*${escapeMrkdwn(line)}`;
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: link === null ? text : `${text}\n<${link}>` }),
  };
});
