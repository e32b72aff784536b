/** Every channel: webhooks by the format in the settings, e-mail by its address. */
import type { Channel } from './channel.ts';
import { email } from './email.ts';
import { json } from './json.ts';
import { ntfy } from './ntfy.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';

/** Webhooks, by the format of what is posted to them. */
export const webhookChannels = { json, slack, teams, ntfy };
export type WebhookFormat = keyof typeof webhookChannels;
export const webhookFormats = Object.keys(webhookChannels) as readonly WebhookFormat[];

const channelsByScheme: Readonly<Record<string, Channel>> = { 'smtp:': email, 'smtps:': email };

/** The channel of a valid address. */
export function channelOf(address: URL, format: WebhookFormat): Channel {
  return channelsByScheme[address.protocol] ?? webhookChannels[format];
}

/** What is wrong with an address of the settings, as the end of "has an address that …"; `null` for a valid one. */
export function addressProblem(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isWebhook = url !== null && /^https?:$/.test(url.protocol);
  if (url === null || (!isWebhook && channelsByScheme[url.protocol] === undefined))
    return 'is no http, https, smtp or smtps address';
  return channelOf(url, 'json').problemOf(url);
}
