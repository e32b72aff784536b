/** The secrets in addresses of webhooks and databases are never shown, wherever the address is set. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestSettingsEditor } from '../../fixtures/settingsEditor.ts';
import { saveSettings } from '../edit/save.ts';
import type { SettingsInputs } from '../schema/types.ts';
import { loadSettings } from './load.ts';
import { formatEffective } from './report.ts';

let editor: TestSettingsEditor;
beforeEach(async () => {
  editor = await TestSettingsEditor.make();
});
afterEach(() => editor.folder.remove());

const validAddress = 'https://hooks.example.com/services/T000/B000/plantedsecret';
const invalidAddress = 'ftp://hooks.example.com/plantedsecret';
const both = JSON.stringify([validAddress, invalidAddress]);

it.each<[string, Readonly<Record<string, string>>, Partial<SettingsInputs>]>([
  ['a list in YAML', { 'settings.yaml': `notify_webhook_url:\n  - ${validAddress}\n  - ${invalidAddress}\n` }, {}],
  ['a list with another item', { 'settings.yaml': `lab_notify_webhook_url: ["${validAddress}", 5]\n` }, {}],
  ['a mapping', { 'settings.yaml': `notify_webhook_url: { mine: "${validAddress}" }\n` }, {}],
  ['a text without a scheme', { 'lab.settings.yaml': 'lab_notify_webhook_url: plantedsecret\n' }, {}],
  ['JSON', { 'settings.json': `{"lab_notify_webhook_url": ${both}}` }, {}],
  ['TOML', { 'settings.toml': `lab_notify_webhook_url = ${both}\n` }, {}],
  ['dotenv', { '.env': `LAB_NOTIFY_WEBHOOK_URL='${both}'\n` }, {}],
  ['several values between commas', { 'lab.env': `notify_webhook_url=${validAddress},${invalidAddress}\n` }, {}],
  ['the environment', {}, { env: { LAB_NOTIFY_WEBHOOK_URL: both } }],
  [
    'an option',
    {},
    { argv: [`--lab-notify-webhook-url=${validAddress}`, `--lab-notify-webhook-url=${invalidAddress}`] },
  ],
  ['a second address after a space', {}, { argv: ['--lab-notify-webhook-url', validAddress, validAddress] }],
  ['a misspelled option', {}, { argv: [`--lab-notify-webhok-url=${validAddress}`] }],
  ['an argument of the program', {}, { overrides: { notify_webhook_url: [validAddress, invalidAddress] } }],
  ['a misspelled argument', {}, { overrides: { notify_webhook_urls: [validAddress] } }],
  ['too many values', { 'settings.yaml': `notify_webhook_url: ${JSON.stringify(Array(11).fill(validAddress))}\n` }, {}],
  ['broken YAML', { 'settings.yaml': `notify_webhook_url: "x" ${validAddress}\n  - ${validAddress}\n` }, {}],
  ['a database without a name', { 'settings.yaml': 'lab_database_url: postgresql://lab:plantedsecret@db\n' }, {}],
  ['a database of another kind', {}, { env: { LAB_DATABASE_URL: 'mysql://lab:plantedsecret@db/lab' } }],
  ['broken JSON', { 'settings.json': `{"lab_notify_webhook_url": ${validAddress}}` }, {}],
  ['broken TOML', { 'settings.toml': `lab_notify_webhook_url = ${validAddress}\n` }, {}],
])('secrets stay hidden in %s', async (_name, files, overrides) => {
  await editor.writeLab(files);
  const inputs = editor.inputs(overrides);
  const result = await loadSettings(inputs);
  expect(result.ok).toBe(false);
  const list = await editor.list(inputs);
  expect(list.problems).not.toEqual([]);
  expect(`${JSON.stringify([result, list])}${formatEffective(result)}`).not.toContain('plantedsecret');
});

it('the error contains the number of the invalid address', async () => {
  await editor.writeLab({ 'settings.yaml': `notify_webhook_url: ${both}\n` });
  const { problems } = await editor.list(editor.inputs());
  expect(problems.map(({ text }) => text).join()).toContain('no http, https, smtp or smtps address, number 2 of 2');
});

it('only the host of a webhook is shown', async () => {
  const text = formatEffective(await loadSettings(editor.inputs({ env: { LAB_NOTIFY_WEBHOOK_URL: validAddress } })));
  expect(text).toMatch(/notify_webhook_url +\["https:\/\/hooks\.example\.com\/…"\]/);
  expect(text).not.toContain('plantedsecret');
});

it('only the host and the port of a database are shown', async () => {
  const env = { LAB_DATABASE_URL: 'postgresql://lab:plantedsecret@db.example.com:5433/history' };
  const text = formatEffective(await loadSettings(editor.inputs({ env })));
  expect(text).toMatch(/database_url +postgresql:\/\/db\.example\.com:5433\/… +environment/);
  expect(text).not.toContain('plantedsecret');
  const list = JSON.stringify(await editor.list(editor.inputs({ env })));
  expect(list).toContain('database_url');
  expect(list).not.toContain('plantedsecret');
});

it('a refused change and the review of a multi-line list hide the secret', async () => {
  const inputs = editor.inputs();
  const refused = await saveSettings(inputs, { notify_webhook_url: invalidAddress }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Error);
  await editor.writeLab({
    '.env': `LAB_NOTIFY_WEBHOOK_URL='[\n"https://a.example/planted-topic",\n"http://b"]'\nLAB_VERBOSE=no\n`,
  });
  const planned = await editor.plan(inputs, { notify_webhook_url: [invalidAddress], verbose: 'yes' });
  expect(planned.files).toHaveLength(1);
  const shown = JSON.stringify([refused, String(refused), planned]);
  for (const hidden of ['plantedsecret', 'planted-topic']) expect(shown).not.toContain(hidden);
});
