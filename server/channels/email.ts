/**
 * E-mail through a mail server: `smtp://user:password@mail.lab.example:587/?from=lab@lab.example&to=ann@lab.example`.
 * `smtps:` uses TLS from the start, `smtp:` as soon as the server offers it, and always before a password is sent.
 * `&ca=/path/ca.pem` sets the lab's certificate authority.
 */
import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { startTimeout } from '../../api/time/clock.ts';
import { errorCode, errorText } from '../../api/errorText.ts';
import { cleanText } from '../logging/text.ts';
import { withStorageTimeout } from '../storage/storageTimeout.ts';
import {
  decodeCredentials,
  deliveryTimeoutMs,
  headingParts,
  buildLink,
  type Channel,
  type DeliveryResult,
  type Notification,
  type SendingLab,
} from './channel.ts';

const mailAddress = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/;
const maxRecipients = 20;

function parseParameters({ searchParams }: URL): {
  readonly from: string;
  readonly to: readonly string[];
  /** File of the certificate authority; `null` for the runtime's trusted ones. */
  readonly authority: string | null;
} {
  const to = searchParams.getAll('to').flatMap((value) => value.split(','));
  return {
    from: (searchParams.get('from') ?? '').trim(),
    to: to.map((recipient) => recipient.trim()).filter((recipient) => recipient !== ''),
    authority: searchParams.get('ca'),
  };
}

function findProblem(address: URL): string | null {
  const { from, to, authority } = parseParameters(address);
  if (address.hostname === '') return 'names no mail server';
  if (!mailAddress.test(from)) return 'has no valid sender: add ?from=lab@example.com';
  if (to.length === 0) return 'has no recipient: add &to=name@example.com';
  if (to.length > maxRecipients) return `has more than ${maxRecipients} recipients: use a mailing list`;
  if (!to.every((recipient) => mailAddress.test(recipient))) return 'has a recipient that is not an e-mail address';
  return authority === null || isAbsolute(authority) ? null : 'has a relative path as its ca';
}

/** The body as plain text: title, reason, link to the dashboard, and time in UTC. */
function formatBody({ title, body, path, at }: Notification, sender: SendingLab): string {
  const link = buildLink(path, sender);
  const time = new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
  return [title, body, link ?? '', time].filter((line) => line !== '').join('\n\n');
}

export const email: Channel = {
  findProblem,
  async deliver(address, notification, sender, { version, key, signal, timeoutMs = deliveryTimeoutMs }) {
    const { createTransport } = await import('nodemailer');
    const { user, password } = decodeCredentials(address);
    const hasCredentials = user !== '';
    const { from, to, authority } = parseParameters(address);
    const timeout = startTimeout(timeoutMs);
    try {
      const ca = authority === null ? undefined : await withStorageTimeout(readFile(authority)).catch(errorText);
      if (typeof ca === 'string') return { ok: false, reason: cleanText(ca), isRetryable: true };
      const transport = createTransport({
        host: address.hostname.replace(/^\[|\]$/g, ''),
        secure: address.protocol === 'smtps:',
        ...(address.port === '' ? {} : { port: Number(address.port) }),
        ...(hasCredentials ? { auth: { user, pass: password }, forceAuth: true, requireTLS: true } : {}),
        // Without a password TLS is opportunistic (RFC 7435): mail relays of a lab often have private certificates.
        tls: {
          rejectUnauthorized: hasCredentials || ca !== undefined || address.protocol === 'smtps:',
          ...(ca === undefined ? {} : { ca }),
        },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const { rejected } = await transport.sendMail({
        from: { name: cleanText(sender.labName ?? 'Lab Manager'), address: from },
        to: [...to],
        subject: cleanText(headingParts(notification, sender.labName).join(': ')),
        text: formatBody(notification, sender),
        messageId: `<${key}@lab-manager>`,
        priority: notification.level === 'problem' ? 'high' : 'normal',
        headers: {
          'auto-submitted': 'auto-generated',
          'x-auto-response-suppress': 'All',
          'x-mailer': `lab-manager/${version}`,
        },
        signal: AbortSignal.any([timeout.signal, ...(signal === undefined ? [] : [signal])]),
      });
      if (rejected.length === 0) return { ok: true };
      const reason = `the mail server refused ${rejected.length} of ${to.length} recipients`;
      return { ok: false, reason, isRetryable: false };
    } catch (error) {
      if (signal?.aborted === true)
        return { ok: false, reason: 'the lab manager stopped before the response', isRetryable: true };
      if (timeout.signal.aborted)
        return { ok: false, reason: `timed out after ${timeoutMs / 1000} s`, isRetryable: true };
      return failureResult(error, address, [...to, from, ...(hasCredentials ? [user, password] : [])]);
    } finally {
      timeout.clear();
    }
  },
};

/**
 * A failed delivery is retried with the same Message-ID, so that mail programs show a second copy as the same message.
 * @param secrets parts of the address that the reason must not contain, because everyone on the network can read it
 */
function failureResult(error: unknown, { hostname }: URL, secrets: readonly string[]): DeliveryResult {
  const status = (error as { readonly responseCode?: unknown }).responseCode;
  const isFinal = (typeof status === 'number' && status >= 500) || errorCode(error) === 'ENOAUTH';
  const text = secrets
    .filter((secret) => secret !== '')
    .reduce((redacted, secret) => redacted.replaceAll(secret, '…'), errorText(error));
  return { ok: false, reason: cleanText(`${hostname}: ${text}`), isRetryable: !isFinal };
}
