import { describe, expect, it } from 'vitest';
import {
  stateAfterCheck,
  findExternalFile,
  detectPackageKind,
  nextCheckDelay,
  type InstallationInput,
  type UpdateState,
} from './updatePolicy.ts';
import { attachedStatus } from '../fixtures/states.ts';
import {
  debCommand,
  unknownFeedReason,
  describeUpdateFailure,
  createUpdateNotices,
  createUpdateDialog,
} from './updateTexts.ts';

describe('detectPackageKind', () => {
  const linux: InstallationInput = {
    platform: 'linux',
    isPackaged: true,
    appImage: undefined,
    appDir: undefined,
    program: '/tmp/.mount_lab/lab-manager',
    packageType: null,
  };
  const mounted = { appImage: '/home/me/lab-manager.AppImage', appDir: '/tmp/.mount_lab' };
  it.each<[string, Partial<InstallationInput>, string]>([
    ['a clone', { isPackaged: false, ...mounted }, 'none'],
    ['an unpacked folder', {}, 'none'],
    ['an AppImage', mounted, 'appimage'],
    ['a program that an AppImage started', { ...mounted, program: '/opt/lab-manager/lab-manager' }, 'none'],
    ['an AppImage with an invalid path', { ...mounted, appImage: 'lab-manager.AppImage' }, 'none'],
    ['the Debian package', { packageType: 'deb', ...mounted, program: '/opt/lab-manager/lab-manager' }, 'deb'],
    ['Windows', { platform: 'win32' }, 'windows'],
    ['macOS', { platform: 'darwin' }, 'none'],
  ])('returns $2 for %s', (_name, changes, kind) => {
    expect(detectPackageKind({ ...linux, ...changes })).toBe(kind);
  });
});

it('nextCheckDelay is 10 s after the start, then one day', () => {
  expect([nextCheckDelay(false), nextCheckDelay(true)]).toEqual([10_000, 86_400_000]);
});

it.each<[string, readonly string[], string | null]>([
  ['no file', [], null],
  ['files of the feed', ['lab-manager-2.0.0.AppImage', 'sub/Lab%20Manager.exe', 'https://files/lab/x.deb'], null],
  ['a folder above', ['x.deb', '../x.deb'], 'https://files/x.deb'],
  ['a folder next to it', ['/lab2/x.deb'], 'https://files/lab2/x.deb'],
  ['another host', ['//other/lab/x.deb'], 'https://other/lab/x.deb'],
  ['another scheme', ['http://files/lab/x.deb'], 'http://files/lab/x.deb'],
  ['an invalid address', ['http://'], 'http://'],
])('findExternalFile finds files outside of the feed: %s', (_name, files, external) => {
  expect([findExternalFile('https://files/lab', files), findExternalFile('https://files/lab/', files)]).toEqual([
    external,
    external,
  ]);
});

describe('stateAfterCheck', () => {
  const available: UpdateState = { kind: 'available', version: '2.0.0' };
  const downloading: UpdateState = { kind: 'downloading', version: '2.0.0', percent: 5 };
  const ready: UpdateState = { kind: 'ready', version: '2.0.0', file: '/cache/x' };
  it.each<[string, UpdateState, string | null, UpdateState]>([
    ['a first version', { kind: 'none' }, '2.0.0', available],
    ['a newer version', available, '2.1.0', { kind: 'available', version: '2.1.0' }],
    ['a version that was withdrawn', available, null, { kind: 'none' }],
    ['any version during a download', downloading, '2.1.0', downloading],
    ['the downloaded version', ready, '2.0.0', ready],
    ['a newer version than the downloaded one', ready, '2.1.0', { kind: 'available', version: '2.1.0' }],
    ['a downloaded version that was withdrawn', ready, null, { kind: 'none' }],
  ])('handles %s', (_name, state, version, next) => {
    expect(stateAfterCheck(state, version)).toEqual(next);
  });
});

describe('texts of an update', () => {
  const ready: UpdateState = {
    kind: 'ready',
    version: '2.0.0',
    file: "/home/o'neil/cache/lab-manager_2.0.0_amd64.deb",
  };
  const context = (kind: Parameters<typeof createUpdateDialog>[1]['kind']) => ({
    currentVersion: '1.0.0',
    kind,
    feed: 'https://files/',
    requiresSignature: false,
    unknownReason: null,
  });

  it('are a notice only for a newer version', () => {
    const none: readonly UpdateState[] = [{ kind: 'off' }, { kind: 'none' }];
    expect(none.flatMap(createUpdateNotices)).toEqual([]);
    const at = (percent: number) => createUpdateNotices({ kind: 'downloading', version: '2', percent });
    expect(at(1)).toEqual([
      expect.objectContaining({ text: expect.stringContaining('2 of Lab Manager is downloading') }),
    ]);
    // Screen readers announce each change of the text, so the percentage is a separate field.
    expect(at(50)).toEqual(at(1).map((notice) => ({ ...notice, progress: 50 })));
    expect(createUpdateNotices({ kind: 'available', version: '2.0.0' })).toEqual([
      {
        id: 'update',
        severity: 'attention',
        text: 'Version 2.0.0 of Lab Manager is available.',
        action: 'Update…',
        isClosable: true,
      },
    ]);
    expect([at(1)[0]?.action, createUpdateNotices(ready)[0]?.action]).toEqual(['Cancel download', 'Install…']);
  });

  it.each<[string, UpdateState, Parameters<typeof createUpdateDialog>[1]['kind'], RegExp]>([
    ['a missing feed', { kind: 'off' }, 'appimage', /No update feed is set.*LAB_UPDATE_FEED.*"OK"/],
    ['the newest version', { kind: 'none' }, 'appimage', /Version 1\.0\.0 is the newest.*https:\/\/files\//],
    ['an available version', { kind: 'available', version: '2.0.0' }, 'appimage', /You have 1\.0\.0.*Download.*Later/],
    [
      'an available version for a copy that can’t update itself',
      { kind: 'available', version: '2.0.0' },
      'none',
      /https:\/\/files\/.*Open That Address/,
    ],
    [
      'a download',
      { kind: 'downloading', version: '2.0.0', percent: 41 },
      'appimage',
      /41 %.*Cancel Download.*Continue/,
    ],
    ['a downloaded version', ready, 'appimage', /Restart and Install/],
    ['a package that an administrator installs', ready, 'deb', /sudo apt install.*Copy Command/],
  ])('describe %s', (_name, state, kind, expected) => {
    expect(JSON.stringify(createUpdateDialog(state, context(kind)))).toMatch(expected);
  });

  it('describe how the download was verified', () => {
    const getDetail = (state: UpdateState, requiresSignature: boolean) =>
      createUpdateDialog(state, { ...context('appimage'), requiresSignature }).detail;
    const offer: UpdateState = { kind: 'available', version: '2.0.0' };
    expect([getDetail(offer, true), getDetail(ready, true)]).toEqual([
      expect.stringContaining('list is signed with your key'),
      expect.stringContaining('in the feed’s signed list.'),
    ]);
    expect(getDetail(offer, false)).not.toContain('signed');
    expect(getDetail(ready, false)).toContain('list, which isn’t signed.');
  });

  it.each([
    ['http://files/', false, true],
    ['http://files/', true, false],
    ['https://files/', false, false],
    ['http://127.0.0.1:9000/', false, false],
  ])('warn about plain http without a signature: %s, signed: %j', (feed, requiresSignature, warns) => {
    const states: readonly UpdateState[] = [{ kind: 'none' }, { kind: 'available', version: '2.0.0' }, ready];
    for (const kind of ['appimage', 'deb', 'none'] as const)
      for (const state of states) {
        const { detail } = createUpdateDialog(state, { ...context(kind), feed, requiresSignature });
        expect(detail.includes('read over plain http and its list is not signed'), detail).toBe(warns);
      }
  });

  it('explain why the feed is unknown', () => {
    const attached = attachedStatus();
    const unknown = unknownFeedReason(attached);
    expect(unknown).toContain('already runs at http://127.0.0.1:8000/');
    expect(createUpdateDialog({ kind: 'off' }, { ...context('appimage'), unknownReason: unknown })).toMatchObject({
      detail: unknown,
    });
    expect(unknownFeedReason({ phase: 'stopped' })).toContain('not known whether');
  });

  it('debCommand quotes a path', () => {
    expect(debCommand("/o'neil/a b.deb")).toBe(String.raw`sudo apt install '/o'\''neil/a b.deb'`);
  });

  it.each([
    [
      Object.assign(new Error('sha512 checksum mismatch, expected …'), { code: 'ERR_CHECKSUM_MISMATCH' }),
      /SHA-512 differs.*deleted/,
    ],
    [Object.assign(new Error('503 \nheaders: {}'), { code: 'HTTP_ERROR_503' }), /^the feed responds with HTTP 503$/],
    [new Error('net::ERR_CONNECTION_REFUSED'), /can’t be reached \(connection refused\)/],
    [new Error('the feed does not answer within 15 s'), /^the feed does not answer within 15 s$/],
    ['\u001b[31mnonsense\nmore', /^nonsense$/],
  ])('describeUpdateFailure describes %s', (error, expected) => {
    expect(describeUpdateFailure(error)).toMatch(expected);
  });
});
