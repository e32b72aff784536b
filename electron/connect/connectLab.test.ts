import { beforeEach, describe, expect, it, vi } from 'vitest';
import { findLabManager } from '../../server/attached/findLabManager.ts';
import type { ServiceStatus } from '../../server/status.ts';
import type { WatchedLab } from '../../server/fleet/watchedLabs.ts';
import { attachedStatus, runningStatus } from '../fixtures/states.ts';
import type { PreferencesFile } from '../preferences/preferences.ts';
import {
  chooseLab,
  connectLab,
  currentMenuChoice,
  disconnectLab,
  forgetLab,
  renameLabs,
  switcherLabs,
  testLab,
  type LabSwitch,
} from './connectLab.ts';

vi.mock('../../server/attached/findLabManager.ts', async (original) => ({
  ...(await original<object>()),
  findLabManager: vi.fn(async (url: string) => ({ url, machine: 'lab-b', labName: 'Lab B', managers: 6 })),
}));

type SavedLab = { readonly url: string; readonly name: string | null };

function fakeApp(
  changes: { status?: ServiceStatus; followedUrl?: string; showsDemo?: boolean; chosenLabs?: SavedLab[] } = {},
) {
  const { status = runningStatus(), followedUrl = null, showsDemo = false, chosenLabs = [] } = changes;
  const values: Record<string, unknown> = { follow: followedUrl, chosenLabs };
  const [startPreferredLab, leaveDemo, watchLabs] = [vi.fn(), vi.fn(async () => undefined), vi.fn()];
  const app = {
    preferences: {
      values,
      change: (change: object) => void Object.assign(values, change),
    } as unknown as PreferencesFile,
    service: {
      state: { status, otherLabs: [] as readonly WatchedLab[] },
      watchLabs,
    } as unknown as LabSwitch['service'] & {
      state: { otherLabs: readonly WatchedLab[] };
    },
    followedUrl,
    showsDemo,
    startPreferredLab,
    leaveDemo,
  };
  return { app, values, startPreferredLab, leaveDemo, watchLabs };
}

beforeEach(() => vi.mocked(findLabManager).mockClear());

/** Delays the next response of a lab manager. @returns a function that ends the delay */
function delayResponse(): () => void {
  let respond = (): void => undefined;
  vi.mocked(findLabManager).mockImplementationOnce(async (url) => {
    await new Promise<void>((resolve) => (respond = resolve));
    return { url, machine: 'lab-b', labName: 'Lab B', managers: 6, isIdentified: true };
  });
  return () => respond();
}

describe('testLab', () => {
  it.each<[string, ReturnType<typeof fakeApp>, string, boolean]>([
    ['this machine by its loopback name', fakeApp(), 'http://localhost:8000/', true],
    ['this machine by its loopback address', fakeApp(), 'http://[::1]:8000', true],
    ['another port of this machine', fakeApp(), 'http://127.0.0.1:9000/', false],
    ['another machine with the same port', fakeApp(), 'http://lab-b:8000/', false],
    ['the copy that the app is attached to', fakeApp({ status: attachedStatus() }), 'http://127.0.0.1:8000/', true],
    [
      'this machine while another lab is shown',
      fakeApp({ followedUrl: 'http://lab-b:8000/' }),
      'http://127.0.0.1:8000/',
      false,
    ],
    ['a service that does not run', fakeApp({ status: { phase: 'starting' } }), 'http://127.0.0.1:8000/', false],
  ])('detects whether the lab is already shown: %s', async (_name, { app }, url, isShownAlready) => {
    if (isShownAlready) await expect(testLab(app, url)).rejects.toThrow(/whose lab is shown already/);
    else expect(await testLab(app, url)).toMatchObject({ labName: 'Lab B' });
    expect(findLabManager).toHaveBeenCalledTimes(isShownAlready ? 0 : 1);
  });
});

describe('connectLab', () => {
  it('shows the lab; a saved lab keeps its place, and a ninth lab replaces the last one', async () => {
    const chosenLabs = Array.from({ length: 8 }, (_, index) => ({ url: `http://lab-${index}:8000/`, name: null }));
    const { app, values, startPreferredLab } = fakeApp({ chosenLabs });
    await connectLab(app, 'http://lab-3:8000/');
    await connectLab(app, 'http://lab-b:8000/');
    expect(values['follow']).toBe('http://lab-b:8000/');
    expect((values['chosenLabs'] as SavedLab[]).map(({ url }) => url)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 'b'].map((name) => `http://lab-${name}:8000/`),
    );
    expect(startPreferredLab).toHaveBeenCalledTimes(2);
  });

  it.each<[string, (app: LabSwitch) => Promise<void>, string | null]>([
    ['another lab', (app) => connectLab(app, 'http://lab-c:8000/'), 'http://lab-c:8000/'],
    ['this machine’s lab', disconnectLab, null],
  ])('does not show a lab that responds after %s was chosen', async (_name, chooseNext, follow) => {
    const respond = delayResponse();
    const { app, values } = fakeApp();
    const slow = connectLab(app, 'http://lab-b:8000/');
    await chooseNext(app);
    respond();
    await slow;
    expect(values['follow']).toBe(follow);
  });

  it('does not start the shown lab again when it is chosen again', async () => {
    const { app, startPreferredLab } = fakeApp({ followedUrl: 'http://lab-b:8000/' });
    await connectLab(app, 'http://lab-b:8000/');
    await disconnectLab(fakeApp().app);
    expect(startPreferredLab).not.toHaveBeenCalled();
  });

  it('changes nothing when the address does not respond', async () => {
    vi.mocked(findLabManager).mockRejectedValueOnce(new Error('lab-b does not answer'));
    const { app, values, startPreferredLab } = fakeApp();
    await expect(connectLab(app, 'http://lab-b:8000/')).rejects.toThrow('lab-b does not answer');
    expect(values).toEqual({ follow: null, chosenLabs: [] });
    expect(startPreferredLab).not.toHaveBeenCalled();
  });
});

describe('chooseLab', () => {
  const chosenLabs = [{ url: 'http://lab-b:8000/', name: 'Lab B' }];
  const openChosenLabs = () => {
    const { app, ...rest } = fakeApp({ chosenLabs });
    return { app: { ...app, updateViews: vi.fn() }, ...rest };
  };

  it('shows the name of the chosen lab in the menu until the lab responds', async () => {
    const respond = delayResponse();
    const { app, values } = openChosenLabs();
    const choice = chooseLab(app, 'http://lab-b:8000/');
    expect(currentMenuChoice()).toEqual({ label: 'Lab B on lab-b', failure: null });
    expect(app.updateViews).toHaveBeenCalledOnce();
    respond();
    await choice;
    expect(values['follow']).toBe('http://lab-b:8000/');
    expect(currentMenuChoice()).toBeNull();
    expect(app.updateViews).toHaveBeenCalledTimes(2);
  });

  it('reports why the connection failed until another lab is chosen', async () => {
    vi.mocked(findLabManager).mockRejectedValueOnce(new Error('no response within 5 s'));
    const { app } = openChosenLabs();
    await expect(chooseLab(app, 'http://lab-b:8000/')).rejects.toThrow('no response within 5 s');
    const failure = { reason: 'no response within 5 s', at: expect.any(Number) };
    expect(currentMenuChoice()).toEqual({ label: 'Lab B on lab-b', failure });
    await disconnectLab(app);
    expect(currentMenuChoice()).toBeNull();
  });
});

describe('disconnectLab', () => {
  it.each([
    ['starts this machine’s lab when a remote lab is shown', false],
    ['closes the demo lab when it is shown', true],
  ])('%s', async (_name, showsDemo) => {
    const { app, values, startPreferredLab, leaveDemo } = fakeApp({ showsDemo, followedUrl: 'http://lab-b:8000/' });
    await disconnectLab(app);
    expect(values['follow']).toBeNull();
    expect([startPreferredLab, leaveDemo].map(({ mock }) => mock.calls.length)).toEqual(showsDemo ? [0, 1] : [1, 0]);
  });
});

describe('the switcher', () => {
  const chosenLabs = [
    { url: 'http://lab-b:8000/', name: 'Lab B' },
    { url: 'http://lab-c:8000/', name: null },
  ];

  it.each<[string, Parameters<typeof fakeApp>[0], readonly boolean[]]>([
    ['this machine’s lab', {}, [true, false, false]],
    ['a followed lab', { followedUrl: 'http://lab-c:8000/' }, [false, false, true]],
    ['the demo lab', { showsDemo: true }, [false, false, false]],
  ])('marks the shown lab: %s', (_name, changes, shown) => {
    const labs = switcherLabs(fakeApp({ ...changes, chosenLabs }).app);
    expect(labs.map(({ label }) => label)).toEqual(['This Machine’s Lab', 'Lab B on lab-b', 'A lab on lab-c']);
    expect(labs.map(({ isShown }) => isShown)).toEqual(shown);
  });

  it('shows the names that the labs report now, and the last known name of a lab that reports none', () => {
    const { app, values } = fakeApp({ chosenLabs: [...chosenLabs, { url: 'http://lab-b:8010/', name: 'Lab B' }] });
    const reading = { state: 'healthy', reason: null, managers: null } as const;
    app.service.state.otherLabs = [
      { url: 'http://lab-b:8000/', labName: null, ...reading },
      { url: 'http://lab-c:8000/', labName: 'Culture', ...reading },
    ];
    renameLabs(app);
    expect((values['chosenLabs'] as SavedLab[]).map(({ name }) => name)).toEqual(['Lab B', 'Culture', 'Lab B']);
    expect(switcherLabs(app).map(({ label }) => label)).toEqual([
      'This Machine’s Lab',
      'Lab B on lab-b',
      'Culture on lab-c',
      'Lab B on lab-b:8010',
    ]);
  });

  it('does not show or watch a removed lab', () => {
    const { app, values, watchLabs } = fakeApp({ chosenLabs });
    forgetLab(app, 'http://lab-b:8000/');
    expect(values['chosenLabs']).toEqual(chosenLabs.slice(1));
    expect(watchLabs).toHaveBeenCalledOnce();
  });
});
