import { expect, it } from 'vitest';
import { settingTitle } from './names.ts';

it.each([
  ['event_server_url', 'Event server URL'],
  ['tls_cert_file', 'TLS cert file'],
  ['mdns', 'Discovery by mDNS'],
] as const)('the setting %s is shown as “%s”', (name, title) => {
  expect(settingTitle(name)).toBe(title);
});
