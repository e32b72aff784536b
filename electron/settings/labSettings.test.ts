import { beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import type { PreferencesFile } from '../preferences/preferences.ts';
import { confirmEnteredAddresses, chooseFolder } from '../windows/dialogs.ts';
import { chooseLabFolder, saveAddresses } from './labSettings.ts';

vi.mock('electron', () => ({ app: { getPath: () => '/home/labuser' }, dialog: {}, Notification: {} }));
vi.mock('../windows/dialogs.ts', () => ({ chooseFolder: vi.fn(), confirmEnteredAddresses: vi.fn() }));

const entered = { title: 'Data Manager', value: 'http://lab-pc:8004/', file: '/config/lab.settings.yaml' };

function fakeLab(replyTo: () => Promise<unknown>) {
  const values: Record<string, unknown> = { labFolder: null, follow: 'http://lab-b:8000/' };
  const requestSettings = vi.fn(replyTo);
  const writeSettings = vi.fn(async () => '/config/lab.settings.yaml');
  return {
    values,
    requestSettings,
    writeSettings,
    startService: vi.fn(),
    service: { requestSettings, writeSettings } as never,
    preferences: {
      values,
      change: (change: object) => void Object.assign(values, change),
    } as unknown as PreferencesFile,
    log: silentLog,
  };
}

beforeEach(() => {
  vi.mocked(chooseFolder).mockResolvedValue('/labs/b');
  vi.mocked(confirmEnteredAddresses).mockReset();
});

describe('chooseLabFolder', () => {
  it.each([
    ['without addresses entered before', async () => ({ addresses: [] })],
    ['with a service that does not answer', () => Promise.reject(new Error('The lab manager service is not running'))],
  ])('requires no confirmation %s, and shows this machine’s lab with the folder', async (_name, reply) => {
    const lab = fakeLab(reply);
    expect(await chooseLabFolder(lab)).toBe('/labs/b');
    expect(lab.values).toEqual({ labFolder: '/labs/b', follow: null });
    expect(lab.startService).toHaveBeenCalledWith({ kind: 'serve' });
    expect(confirmEnteredAddresses).not.toHaveBeenCalled();
  });

  it.each([
    ['set-aside', ['entered', 'set-aside'], '/labs/b'],
    ['keep', ['entered'], '/labs/b'],
    [null, ['entered'], null],
  ] as const)('applies the choice “%s” when addresses of another lab were entered', async (choice, calls, folder) => {
    vi.mocked(confirmEnteredAddresses).mockResolvedValue(choice);
    const lab = fakeLab(async () => ({ addresses: [entered] }));
    expect(await chooseLabFolder(lab)).toBe(folder);
    expect(lab.requestSettings.mock.calls).toEqual(calls.map((kind) => [{ kind }]));
    expect(lab.startService).toHaveBeenCalledTimes(folder === null ? 0 : 1);
  });

  it('changes nothing when no folder was chosen', async () => {
    vi.mocked(chooseFolder).mockResolvedValue(null);
    const lab = fakeLab(async () => ({ addresses: [] }));
    expect(await chooseLabFolder(lab)).toBeNull();
    expect(lab.values['labFolder']).toBeNull();
  });
});

describe('saveAddresses', () => {
  it('writes the entered addresses, and None for an empty one', async () => {
    const lab = fakeLab(async () => null);
    await saveAddresses(lab, { data: 'http://lab-pc:8004/', event: '' });
    expect(lab.writeSettings).toHaveBeenCalledWith({
      event_server_url: 'None',
      data_server_url: 'http://lab-pc:8004/',
    });
  });
});
