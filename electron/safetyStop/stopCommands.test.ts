import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import type { AppPaths } from '../folders/appPaths.ts';
import type { LabService } from '../service/labService.ts';
import { confirmMachineDialog } from '../windows/dialogs.ts';
import { pageWindows } from '../windows/pageWindow.ts';
import { confirmMachine, stopFromPage, stopFromTray, stopQuestion } from './stopCommands.ts';

vi.mock('../windows/dialogs.ts', () => ({
  confirmMachineDialog: vi.fn(async () => true),
}));
vi.mock('../windows/pageWindow.ts', () => ({ pageWindows: { stop: { open: vi.fn(), isOpen: false } } }));

beforeEach(() => {
  vi.clearAllMocks();
  Object.assign(pageWindows.stop, { isOpen: false });
  vi.mocked(pageWindows.stop.open).mockImplementation(() => void Object.assign(pageWindows.stop, { isOpen: true }));
});

/** An app that shows a followed lab, and can show another one. */
function fakeApp() {
  const [stop, confirm] = [vi.fn(async () => undefined), vi.fn()];
  let followedUrl = 'http://lab-b:8000/';
  return {
    stop,
    confirm,
    show: (url: string) => (followedUrl = url),
    shown: {
      safetyStop: { report: null, openReport: vi.fn(), openCurrentReport: vi.fn(), shownLabKey: 'lab', stop },
      service: { state: { lab: null }, confirmMachine: confirm } as unknown as Pick<
        LabService,
        'state' | 'confirmMachine'
      >,
      appPaths: {} as AppPaths,
      get labOnMachine() {
        return `a lab on ${new URL(followedUrl).hostname}`;
      },
      knownNodes: ['arm', 'reader'],
      nodesWithoutStop: ['reader'],
      machineWarning: 'This loopback address does not identify a machine.',
      get followedUrl() {
        return followedUrl;
      },
      showsDemo: false,
    },
  };
}
const callCounts = ({ stop, confirm }: ReturnType<typeof fakeApp>) => [
  stop.mock.calls.length,
  confirm.mock.calls.length,
  vi.mocked(pageWindows.stop.open).mock.calls.length,
];

describe('stopFromPage', () => {
  it('stops the lab of the pressed window and confirms its machine', () => {
    const app = fakeApp();
    const question = stopQuestion(app.shown);
    expect(question).toMatchObject({ nodes: ['arm', 'reader'], nodesWithoutStop: ['reader'] });
    stopFromPage(app.shown, true, question?.key);
    expect(app.stop).toHaveBeenCalledWith(true);
    expect(callCounts(app)).toEqual([1, 1, 0]);
  });

  it('stops no lab if another one is shown than in the pressed window', () => {
    const app = fakeApp();
    const question = stopQuestion(app.shown);
    app.show('http://lab-c:8000/');
    stopFromPage(app.shown, true, question?.key);
    expect(callCounts(app)).toEqual([0, 0, 1]);
  });

  it('stops no lab if its machine became uncertain after the window showed it', () => {
    const app = fakeApp();
    const question = stopQuestion({ ...app.shown, machineWarning: null });
    stopFromPage(app.shown, true, question?.key);
    expect(callCounts(app)).toEqual([0, 0, 1]);
  });
});

describe('stopFromTray', () => {
  it('opens the window of the stop, without the report of an earlier one, and stops the nodes at a second choice', async () => {
    const time = useManualClock();
    const app = fakeApp();
    const shown = { ...app.shown, machineWarning: null };
    stopFromTray(shown);
    expect(callCounts(app)).toEqual([0, 0, 1]);
    expect(app.shown.safetyStop.openCurrentReport).toHaveBeenCalledOnce();
    // A double click is one choice.
    await time.advance(500);
    stopFromTray(shown);
    expect(callCounts(app)).toEqual([0, 0, 1]);
    await time.advance(1000);
    stopFromTray(shown);
    expect(callCounts(app)).toEqual([1, 0, 1]);
    // The next choice is a new one.
    stopFromTray(shown);
    await time.advance(31_000);
    stopFromTray(shown);
    expect(callCounts(app)).toEqual([1, 0, 3]);
    // So is one after the window was closed.
    Object.assign(pageWindows.stop, { isOpen: false });
    await time.advance(2000);
    stopFromTray(shown);
    expect(callCounts(app)).toEqual([1, 0, 4]);
  });

  it('opens a dialog about an uncertain machine at the second choice, and does not stop another lab', async () => {
    const time = useManualClock();
    const app = fakeApp();
    app.show('http://lab-d:8000/');
    stopFromTray(app.shown);
    await time.advance(2000);
    stopFromTray(app.shown);
    expect(confirmMachineDialog).toHaveBeenCalledOnce();
    app.show('http://lab-e:8000/');
    stopFromTray(app.shown);
    expect(callCounts(app)).toEqual([0, 0, 2]);
  });
});

describe('confirmMachine', () => {
  it.each([
    ['confirms the machine of the lab in its dialog', 'http://lab-b:8000/', 1],
    ['does not confirm a lab that is shown meanwhile', 'http://lab-c:8000/', 0],
  ])('%s', async (_which, shownAfter, times) => {
    const { shown, confirm, show } = fakeApp();
    vi.mocked(confirmMachineDialog).mockImplementationOnce(async () => {
      show(shownAfter);
      return true;
    });
    await confirmMachine(shown);
    expect(confirm).toHaveBeenCalledTimes(times);
  });
});
