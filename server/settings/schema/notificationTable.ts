/** The rows of the table of settings for notifications. */
import * as z from 'zod';
import { notificationKinds } from '../../channels/channel.ts';
import { webhookFormats } from '../../channels/webhookFormats.ts';
import { define } from './definition.ts';

export const notificationTable = {
  notify_webhook_url: define({
    field: 'notifyWebhookUrl',
    kind: 'webhooks',
    section: 'Notifications',
    schema: z.array(z.string()).max(10).readonly(),
    default: [],
    help: 'Addresses that notifications are sent to: webhooks (http, https), and mail servers with sender and recipients (smtp://user:password@mail.example.com:587/?from=lab@example.com&to=ann@example.com); anybody who knows such an address can use it, so it is shown shortened',
    example: 'https://hooks.example.com/services/T000/B000/XXXX',
    isSecret: true,
  }),
  notify_events: define({
    field: 'notifyEvents',
    kind: 'words',
    section: 'Notifications',
    schema: z.array(z.enum(notificationKinds)).readonly(),
    default: ['lab', 'manager', 'node', 'workflow_failed', 'step_overdue'],
    help: 'The events that cause a notification',
    example: '["lab", "node", "workflow_failed", "workflow_finished"]',
  }),
  notify_format: define({
    field: 'notifyFormat',
    kind: 'word',
    section: 'Notifications',
    schema: z.enum(webhookFormats),
    default: 'json',
    help: 'Format of webhook messages: our own JSON; that of Slack, Mattermost and Discord (with /slack at the end of its address); that of Teams; or that of ntfy',
    example: 'slack',
  }),
  notify_reminder_hours: define({
    field: 'notifyReminderHours',
    kind: 'number',
    section: 'Notifications',
    schema: z.number().min(0).max(720),
    default: 4,
    help: 'Hours between the reminders of a reported outage that lasts; 0 sends no reminder',
    example: '24',
  }),
  notify_idempotent_receivers: define({
    field: 'notifyIdempotentReceivers',
    kind: 'boolean',
    section: 'Notifications',
    schema: z.boolean(),
    default: false,
    help: 'Whether every receiver discards a message with a known Idempotency-Key header; only then is a message without a response sent again after it was sent completely',
    example: 'true',
  }),
} as const;
