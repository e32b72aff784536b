/** Workflows of Microsoft Teams that start at a webhook request: an Adaptive Card. */
import { linkOf } from './channel.ts';
import { chatTexts, levelSigns } from './chatText.ts';
import { webhookChannel } from './webhook.ts';

export const teams = webhookChannel((notification, sender) => {
  const link = linkOf(notification.path, sender);
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
