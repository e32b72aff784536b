import { expect, it, vi } from 'vitest';
import type { PageCommand } from '../../ipc/commands.ts';
import type { SettingRow } from '../../ipc/settingsContract.ts';
import { useDrafts } from './drafts.ts';

const row: SettingRow = {
  name: 'notify_webhook_url',
  title: 'Webhook and e-mail addresses',
  section: 'Notifications',
  help: '',
  kind: 'urls',
  expected: 'addresses',
  allowedValues: [],
  isOptional: false,
  value: [],
  displayedSecret: null,
  isDefault: true,
  defaultValue: [],
  defaultText: 'none',
  origin: 'Default',
  overriddenOrigins: [],
  target: '/lab/lab.settings.yaml',
  hasFile: false,
  problem: null,
  override: null,
  needsRestart: false,
  manager: null,
};

it('useDrafts sends a list to the review in a form that the context bridge can clone', async () => {
  const requests: PageCommand[] = [];
  const request = async (command: PageCommand) => {
    requests.push(structuredClone(command));
    return { ok: true, value: { id: 1, files: [], saved: [], refused: [], notes: [] } };
  };
  vi.stubGlobal('window', { labManagerShell: { request }, setTimeout: () => 0, clearTimeout });
  const { setDraft, review, message } = useDrafts();
  const typedAddresses = ['https://hooks.example.com/a', 'https://hooks.example.com/b'];
  setDraft(row, typedAddresses);
  await review();
  expect(message.value).toBe('');
  expect(requests).toEqual([
    { command: 'settings', request: { kind: 'plan', changes: { [row.name]: typedAddresses } } },
  ]);
});
