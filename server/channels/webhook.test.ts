import { describe, expect, it } from 'vitest';
import { sampleNotification as notification, sampleSender as sender } from '../fixtures/sampleNotification.ts';
import { shortenAddress } from '../logging/text.ts';
import { incidentKey, buildLink } from './channel.ts';
import { webhookChannels, webhookFormats } from './webhookFormats.ts';

describe('a webhook message', () => {
  it.each(webhookFormats)('contains title, reason and link: %s', (format) => {
    const { headers, body } = webhookChannels[format].request({ ...notification(), path: '/workflows/1' }, sender, 'k');
    const all = `${JSON.stringify(headers)} ${body}`;
    expect(all).toContain('Data Manager: unreachable');
    expect(all).toContain('connection refused');
    expect(all).toContain('http://bench4:8000/workflows/1');
  });

  it.each(webhookFormats)('names the lab once, even if the title begins with it: %s', (format) => {
    const named = { ...notification('Bench is back'), kind: 'lab' as const };
    const { headers, body } = webhookChannels[format].request(named, { labName: 'Bench', url: null }, 'k');
    const text =
      format === 'json' ? (JSON.parse(body) as { title: string }).title : `${headers['title'] ?? ''} ${body}`;
    expect(text.match(/Bench/g)).toHaveLength(1);
    const unnamed = webhookChannels[format].request(
      { ...named, title: 'The lab is back' },
      { labName: null, url: null },
      'k',
    );
    expect(`${unnamed.headers['title'] ?? ''} ${unnamed.body}`).not.toContain('Lab');
    const manager = webhookChannels[format].request(
      notification('Benchmark is back'),
      { labName: 'Bench', url: null },
      'k',
    );
    expect(`${manager.headers['title'] ?? ''} ${manager.body}`).toMatch(/Bench\b/);
  });

  it('contains the key of the message and of each incident in the format json', () => {
    const two = { ...notification(), incidents: ['problem manager data 1', 'problem manager event 1'] };
    const key = incidentKey(two.incidents, sender);
    const body = JSON.parse(webhookChannels.json.request(two, sender, key).body) as {
      key: string;
      incidents: readonly string[];
    };
    expect(body.key).toBe(key);
    expect(body.incidents).toEqual(two.incidents.map((incident) => incidentKey([incident], sender)));
    expect(new Set([...body.incidents, body.key]).size).toBe(3);
    expect(incidentKey(two.incidents.toReversed(), sender)).toBe(key);
    expect(incidentKey(two.incidents, { ...sender, url: 'http://bench5:8000/' })).not.toBe(key);
  });

  it('escapes names for Slack', () => {
    const { body } = webhookChannels.slack.request(notification('<!channel> & more'), sender, 'k');
    expect(JSON.parse(body)).toEqual({
      text: expect.stringContaining('&lt;!channel&gt; &amp; more') as string,
    });
  });

  it.each(['slack', 'teams', 'ntfy'] as const)(
    'contains no mention, link or formatting from a name of the lab: %s',
    (format) => {
      const name = '@everyone [Log in](http://evil.example/) www.evil.example *b* _i_ ~s~ `c` ||s|| arm_1_left';
      const { headers, body } = webhookChannels[format].request(notification(name), { labName: name, url: null }, 'k');
      const [, base64 = ''] = /^=\?UTF-8\?B\?(.*)\?=$/.exec(headers['title'] ?? '') ?? [];
      const text = format === 'ntfy' ? Buffer.from(base64, 'base64').toString() : JSON.stringify(JSON.parse(body));
      expect(text).not.toMatch(/@everyone|\]\(|http:\/\/evil|www\.evil|\*b\*|(?<!\w)_i_|~s~|`|\|\|/);
      expect(text).toContain('arm_1_left');
      expect(headers['title'] ?? '').not.toMatch(/[\r\n]/);
    },
  );

  it('contains no encoded word from a name in a header', () => {
    const { headers } = webhookChannels.ntfy.request(notification('=?UTF-8?B?QGV2ZXJ5b25l?='), sender, 'k');
    expect(headers['title']).not.toContain('QGV2ZXJ5b25l?=');
  });

  it('encodes characters that headers do not allow', () => {
    const { headers } = webhookChannels.ntfy.request(notification('Größe\r\nx: y'), sender, 'k');
    expect(headers['title']).toMatch(/^=\?UTF-8\?B\?[\w+/=]+\?=$/);
  });

  it.each(webhookFormats)('contains no link that only works on this machine: %s', (format) => {
    const { headers, body } = webhookChannels[format].request(notification(), { ...sender, url: null }, 'k');
    expect(`${JSON.stringify(headers)} ${body}`).not.toContain('http://localhost');
    expect(body.length).toBeGreaterThan(10);
  });

  it('has its link below the base path, and the address of its receiver is shortened to the host', () => {
    expect(buildLink('/events', { ...sender, url: 'http://lab/base/' })).toBe('http://lab/base/events');
    expect(shortenAddress('https://hooks.example.com/T0/secret?x=1')).toBe('https://hooks.example.com/…');
    expect(shortenAddress('nonsense')).toBe('…');
  });
});
