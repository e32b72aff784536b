import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, vi } from 'vitest';

// Electron exists only in the app; the template is plain data.
vi.mock('electron', () => ({ BrowserWindow: Object, Menu: {} }));
const { menuTemplate } = await import('./menu.ts');

const run = vi.fn();

function items(state: Partial<Parameters<typeof menuTemplate>[1]>, platform: NodeJS.Platform = 'linux') {
  const all = menuTemplate(
    run,
    { hasDemo: false, isDemo: false, isFollowing: false, isUnidentified: false, labs: [], ...state },
    platform,
  );
  return { all, inner: all.flatMap(({ submenu }) => (submenu as MenuItemConstructorOptions[] | undefined) ?? []) };
}

/** The click handler of an item, which ignores Electron's arguments. */
const getClick = (item: MenuItemConstructorOptions | undefined) => item?.click as unknown as () => void;

const labels = (menuItems: readonly MenuItemConstructorOptions[]): string[] =>
  menuItems.flatMap(({ label, visible }) =>
    label === undefined || visible === false ? [] : [label.replaceAll('&', '')],
  );

describe('the application menu', () => {
  it('shows the shortcut of the settings as printed on keyboards, and registers it', () => {
    for (const platform of ['linux', 'win32'] as const) {
      const { inner } = items({}, platform);
      expect(labels(inner)).toContain('Settings… (Ctrl+,)');
      // A visible item with this accelerator reads "Ctrl+Comma".
      const [withKey, ...others] = inner.filter(({ accelerator }) => accelerator === 'CmdOrCtrl+,');
      expect(withKey).toMatchObject({ visible: false, acceleratorWorksWhenHidden: true });
      getClick(withKey)();
      expect(run).toHaveBeenLastCalledWith({ command: 'open-settings' });
      expect(others).toEqual([]);
    }
    expect(labels(items({}, 'darwin').inner)).toContain('Settings…');
  });

  it.each([
    [
      'this lab only',
      {},
      ['Connect to Lab…', 'Start Demo Lab', 'Diagnostics', 'Save Diagnostics…'],
      ['Leave Demo Lab', 'Show Demo Lab', 'Use This Machine’s Lab'],
    ],
    ['the demo lab beside this lab', { hasDemo: true }, ['Show Demo Lab', 'Leave Demo Lab'], ['Start Demo Lab']],
    [
      'the demo lab in place of this lab',
      { hasDemo: true, isDemo: true },
      ['Leave Demo Lab'],
      ['Start Demo Lab', 'Show Demo Lab'],
    ],
    ['another machine’s lab', { isFollowing: true }, ['Use This Machine’s Lab'], ['Confirm Machine…']],
    ['a lab behind a tunnel', { isFollowing: true, isUnidentified: true }, ['Confirm Machine…'], []],
  ])('offers the commands for %s', (_name, state, offered, absent) => {
    const itemLabels = labels(items(state).inner);
    expect(itemLabels).toEqual(expect.arrayContaining(offered));
    for (const label of absent) expect(itemLabels).not.toContain(label);
  });

  it('works by keyboard: a letter for each menu, F10, and zoom without Shift', () => {
    const { all, inner } = items({});
    const letters = all.map(({ label }) => /&(\w)/.exec(label ?? '')?.[1]?.toLowerCase());
    expect(letters.every((letter) => letter !== undefined)).toBe(true);
    expect(new Set(letters).size).toBe(letters.length);
    const keys = inner.map(({ accelerator }) => accelerator);
    expect(keys).toEqual(
      expect.arrayContaining(['F1', 'F10', 'CmdOrCtrl+=', 'CmdOrCtrl+Q', 'CmdOrCtrl+O', 'CmdOrCtrl+,']),
    );
  });

  it('contains Quit and About in their places on macOS', () => {
    const { all } = items({}, 'darwin');
    expect(labels((all[0]?.submenu ?? []) as MenuItemConstructorOptions[])).toEqual([
      'About Lab Manager',
      'Settings…',
      'Quit Lab Manager',
    ]);
  });

  it('switches between the labs by Ctrl and a digit, this machine’s lab first', () => {
    const labs = [
      { label: 'This Machine’s Lab', url: null, isShown: false },
      { label: 'A&B on lab-b', url: 'http://lab-b:8000/', isShown: true },
      { label: 'Culture on lab-c', url: 'http://lab-c:8000/', isShown: false },
    ];
    const labItems = items({ labs }).inner.filter(({ accelerator }) => /\+\d$/.test(String(accelerator)));
    expect(labItems.map(({ label, accelerator, checked }) => [label, accelerator, checked])).toEqual([
      ['This Machine’s Lab', 'CmdOrCtrl+1', false],
      ['A&&B on lab-b', 'CmdOrCtrl+2', true],
      ['Culture on lab-c', 'CmdOrCtrl+3', false],
    ]);
    run.mockClear();
    const clicked = labItems.map((item) => {
      const mark = { checked: true };
      (item.click as unknown as (item: { checked: boolean }) => void)(mark);
      return mark.checked;
    });
    expect(run.mock.calls).toEqual([
      [{ command: 'disconnect' }],
      [{ command: 'connect', url: 'http://lab-b:8000/' }],
      [{ command: 'connect', url: 'http://lab-c:8000/' }],
    ]);
    // The check mark shows which lab is shown, not which item was clicked.
    expect(clicked).toEqual([false, true, false]);
    expect(labels(items({ labs: labs.slice(0, 1) }).all)).not.toContain('Labs');
  });
});
