import { beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import type { PreferencesFile } from '../preferences/preferences.ts';
import { confirmEnteredAddresses } from '../windows/dialogs.ts';
import { saveAddresses, searchRoots, useLabFolder } from './labSettings.ts';

vi.mock('electron', () => ({ app: { getPath: () => '/home/labuser' }, dialog: {}, Notification: {} }));
vi.mock('../windows/dialogs.ts', () => ({ confirmEnteredAddresses: vi.fn() }));

const entered = { title: 'Data Manager', value: 'http://lab-pc:8004/', file: '/config/lab.settings.yaml' };

function fakeLab(replyTo: () => Promise<unknown>) {
  const values: Record<string, unknown> = {
    labFolder: null,
    recentFolders: ['/labs/a', '/labs/b'],
    follow: 'http://lab-b:8000/',
  };
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

beforeEach(() => void vi.mocked(confirmEnteredAddresses).mockReset());

describe('useLabFolder', () => {
  it.each([
    ['without addresses entered before', async () => ({ addresses: [] })],
    ['with a service that does not answer', () => Promise.reject(new Error('The lab manager service is not running'))],
  ])('requires no confirmation %s, and shows this machine’s lab with the folder', async (_name, reply) => {
    const lab = fakeLab(reply);
    expect(await useLabFolder(lab, '/labs/b')).toBe(true);
    expect(lab.values).toEqual({ labFolder: '/labs/b', recentFolders: ['/labs/b', '/labs/a'], follow: null });
    expect(lab.startService).toHaveBeenCalledWith({ kind: 'serve' });
    expect(confirmEnteredAddresses).not.toHaveBeenCalled();
  });

  it.each([
    ['~/labs/b', '/home/labuser/labs/b'],
    ['labs/b', '/home/labuser/labs/b'],
    ['/labs/b/', '/labs/b'],
  ])('stores the entered path %s as %s', async (enteredPath, stored) => {
    const lab = fakeLab(async () => ({ addresses: [] }));
    await useLabFolder(lab, enteredPath);
    expect(lab.values['labFolder']).toBe(stored);
  });

  it.each([
    ['set-aside', ['entered', 'set-aside'], true],
    ['keep', ['entered'], true],
    [null, ['entered'], false],
  ] as const)('applies the choice “%s” when addresses of another lab were entered', async (choice, calls, isUsed) => {
    vi.mocked(confirmEnteredAddresses).mockResolvedValue(choice);
    const lab = fakeLab(async () => ({ addresses: [entered] }));
    expect(await useLabFolder(lab, '/labs/b')).toBe(isUsed);
    expect(lab.requestSettings.mock.calls).toEqual(calls.map((kind) => [{ kind }]));
    expect(lab.startService).toHaveBeenCalledTimes(isUsed ? 1 : 0);
  });
});

it('the search for labs begins in the folders that were used before', () => {
  expect(searchRoots({ recentFolders: ['/labs/a'] }).slice(0, 3)).toEqual([
    '/labs/a',
    '/home/labuser',
    '/home/labuser',
  ]);
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
