/** All channels: webhooks by the configured format, e-mail by its address. */
import type { Channel, DeliveryOptions, DeliveryResult, Notification, SendingLab } from './channel.ts';
import { email } from './email.ts';
import { webhookChannels, type WebhookFormat } from './webhookFormats.ts';
import { tryParseUrl } from '../../api/url.ts';

const channelsByScheme: Readonly<Record<string, Channel>> = { 'smtp:': email, 'smtps:': email };

/** The channel of a valid address. */
function getChannel(address: URL, format: WebhookFormat): Channel {
  return channelsByScheme[address.protocol] ?? webhookChannels[format];
}

/** Delivers one message once to a valid address of the settings, with a timeout of 30 s. Never rejects. */
export function deliver(
  address: string,
  format: WebhookFormat,
  notification: Notification,
  sender: SendingLab,
  options: DeliveryOptions,
): Promise<DeliveryResult> {
  const url = new URL(address);
  return getChannel(url, format).deliver(url, notification, sender, options);
}

/** The problem of an address in the settings, as the end of "has an address that …"; `null` for a valid one. */
export function addressProblem(address: string): string | null {
  const url = tryParseUrl(address);
  const isWebhook = url !== null && /^https?:$/.test(url.protocol);
  if (url === null || (!isWebhook && channelsByScheme[url.protocol] === undefined))
    return 'is no http, https, smtp or smtps address';
  return getChannel(url, 'json').findProblem(url);
}
