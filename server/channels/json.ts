/** The lab manager's own JSON format, for programs of the lab. The guide documents its schema. */
import { linkOf } from './channel.ts';
import { webhookChannel } from './webhook.ts';

export const json = webhookChannel(({ kind, level, title, body, path, at, since }, sender) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    version: 1,
    source: 'lab-manager',
    lab: sender.labName,
    kind,
    level,
    title,
    body,
    url: linkOf(path, sender),
    at: new Date(at).toISOString(),
    since: since === null ? null : new Date(since).toISOString(),
  }),
}));
