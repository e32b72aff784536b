import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSecretName, redacted, redactText, redactValue, secretPartsOfAddress } from './redact.ts';

const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 64 });
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base64 = fc.uint8Array({ minLength: 32, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64url'));
/** Whether a text looks random: fast-check also generates long runs of zeroes, unlike real keys. */
const looksRandom = (text: string): boolean => new Set(text).size >= 10;
const secret = fc.oneof(hex, base64).filter(looksRandom);
const password = fc.string({ unit: fc.constantFrom(...`${letters}0123456789!%$+*`), minLength: 6, maxLength: 20 });
const sentence = fc.constantFrom('The event manager answered: ', '', '2026-11-22 12:00:00 [warn] (watch) ', 'x (');

describe('secrets in texts', () => {
  const expectRedacted = (texts: fc.Arbitrary<readonly [string, string]>) =>
    fc.assert(fc.property(texts, sentence, ([planted, text], before) => !redactText(before + text).includes(planted)));

  /** Not even 16 consecutive characters of it remain. */
  const expectFullyRedacted = (texts: fc.Arbitrary<readonly [string, string]>) =>
    fc.assert(
      fc.property(texts, ([planted, text]) => {
        const cleaned = redactText(text);
        return !Array.from({ length: planted.length - 15 }, (_, at) => planted.slice(at, at + 16)).some((part) =>
          cleaned.includes(part),
        );
      }),
    );

  it('are recognized by shape: long runs', () =>
    expectFullyRedacted(secret.map((value) => [value, `got ${value} from it`] as const)));

  it('are recognized by shape: base64 with slashes', () =>
    expectFullyRedacted(
      fc
        .uint8Array({ minLength: 48, maxLength: 64 })
        .map((bytes) => Buffer.from(bytes).toString('base64'))
        .filter((text) => new Set(text).size >= 24)
        .map((value) => [value, `got ${value} from it`] as const),
    ));

  it('are recognized by shape: bearer tokens of any form', () =>
    expectRedacted(
      fc
        .string({ unit: fc.constantFrom(...`${letters}0123456789._~-`), minLength: 6, maxLength: 40 })
        .map((value) => [value, `Bearer ${value}`] as const)
        .filter(
          ([value]) =>
            !'Bearer [redacted] The event manager answered: [warn] (watch) 2026-11-22 12:00:00'.includes(value),
        ),
    ));

  it('are recognized by shape: the password of an address', () =>
    expectRedacted(
      password.map(
        (value) => [value, `GET http://somebody:${encodeURIComponent(value)}@lab-pc:8001/x failed`] as const,
      ),
    ));

  it('are recognized by shape: parts of a path', () =>
    expectFullyRedacted(secret.map((value) => [value, `posting to https://example.com/a/${value}/b failed`] as const)));

  it('are recognized by key, in every usual notation', () =>
    expectRedacted(
      fc
        .tuple(
          password,
          fc.constantFrom(
            'token',
            'API_KEY',
            'x-api-key',
            'clientSecret',
            'password',
            'LAB_NOTIFY_WEBHOOK_URL',
            'authorization',
          ),
          fc.constantFrom<(name: string, value: string) => string>(
            (name, value) => `${name}=${value}`,
            (name, value) => `${name}: ${value}`,
            (name, value) => `${name} = "${value}"`,
            (name, value) => JSON.stringify({ a: 1, [name]: value, b: 2 }),
            (name, value) => JSON.stringify({ text: JSON.stringify({ [name]: value }) }),
            (name, value) => JSON.stringify({ [name]: `${value}"${value}` }),
            (name, value) => `http://lab-pc/x?${name}=${encodeURIComponent(value)}&y=1`,
          ),
        )
        .map(([value, name, form]) => [value, form(name, value)] as const)
        .filter(([value]) => !'The event manager answered'.includes(value)),
    ));

  it('are recognized in values at any depth', () =>
    fc.assert(
      fc.property(secret, password, fc.integer({ min: 0, max: 15 }), (shaped, named, depth) => {
        let value: unknown = { list: [shaped, { apiToken: named }], [`of ${shaped}`]: 1 };
        for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { inner: value };
        const text = JSON.stringify(redactValue(value));
        return !text.includes(shaped) && !text.includes(JSON.stringify(named).slice(1, -1));
      }),
    ));

  it('are recognized in any form if they are known', () =>
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{8,16}$/), (topic) => {
        const secrets = secretPartsOfAddress(`https://push.example.com/${topic}`);
        return !redactText(`posting to ${topic} at https://push.example.com/${topic} failed`, secrets).includes(topic);
      }),
    ));
});

it.each([
  ['Authorization: Bearer abc.def', `Authorization: ${redacted}`],
  ['https://hooks.slack.com/services/T0/B0/abc', `https://hooks.slack.com/${redacted}`],
  ['https://user:pw@lab-pc:8001/health', `https://${redacted}@lab-pc:8001/health`],
  ['got eyJhbGciOiJI.eyJzdWIiOiIx.abc-def', `got ${redacted}`],
  ['passwords = ["hunter22", \'a]b\'] # mine', `passwords = ${redacted} # mine`],
  ['lab_notify_webhook_url: [https://lab.example/a]', `lab_notify_webhook_url: ${redacted}`],
  ['{"tokens":["a","b"],"n":1}', `{"tokens":${redacted},"n":1}`],
  ["token: [don't\nnext line", `token: ${redacted}\nnext line`],
  ['token: {a: {b: c}, d', `token: ${redacted}`],
  ['ghp_0123456789abcdef', redacted],
  ['id 123e4567-e89b-12d3-a456-426614174000', `id ${redacted}`],
])('redactText turns %s into %s', (text, expected) => expect(redactText(text)).toBe(expected));

it('redactText leaves no brackets of a list of known values', () => {
  const secrets = ['https://lab.example/topic', 'https://lab.example/other'];
  expect(redactText(`notify_webhook_url: [${secrets.join(', ')}] # two`, secrets)).toBe(
    `notify_webhook_url: ${redacted} # two`,
  );
});

it.each([
  '2026-11-22 12:00:00.123 [warn] (watch) Event Manager is unreachable: connection refused (lab-pc:8001)',
  'Listening on [::]:8000 (log: /home/someone/.config/lab-manager/logs/lab-manager.log)',
  'GET http://lab-pc:8005/workflow/01JZ8Q5K3M7N9P2R4T6V8W0X1Y failed: HTTP 404',
  '/opt/lab-manager/resources/app.asar.unpacked/dist/dashboard/assets/index.js',
  'at LabManager.applySettings (file:///opt/lab-manager/dist/server/main.js:120:3)',
  'the history of the liquid-handling-workcell-of-building-twelve goes on',
  'experiment_server_url http://localhost:8002/ default',
])('redactText leaves unchanged: %s', (text) => expect(redactText(text)).toBe(text));

it.each<[string, boolean]>([
  ['token', true],
  ['accessToken', true],
  ['LAB_NOTIFY_WEBHOOK_URL', true],
  ['x-api-key', true],
  ['Authorization', true],
  ['monkey', false],
  ['keyboard', false],
  ['listen_port', false],
])('isSecretName(%s) is %s', (name, isSecret) => expect(isSecretName(name)).toBe(isSecret));
