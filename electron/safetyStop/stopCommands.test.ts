import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppPaths } from '../folders/appPaths.ts';
import type { LabService } from '../service/labService.ts';
import { closeDialogs, confirmMachineDialog, confirmSafetyStop } from '../windows/dialogs.ts';
import { confirmMachine, stopFromPage, stopFromTray } from './stopCommands.ts';

vi.mock('../windows/dialogs.ts', () => ({
  closeDialogs: vi.fn(),
  confirmSafetyStop: vi.fn(async () => true),
  confirmMachineDialog: vi.fn(async () => true),
}));
vi.mock('../windows/pageWindow.ts', () => ({ pageWindows: { stop: { open: vi.fn() } } }));

beforeEach(() => vi.clearAllMocks());

/** An app that shows a followed lab, and can show another one. */
function fakeApp() {
  const [stop, confirm] = [vi.fn(async () => undefined), vi.fn()];
  let followedUrl = 'http://lab-b:8000/';
  return {
    stop,
    confirm,
    show: (url: string) => (followedUrl = url),
    shown: {
      safetyStop: { report: null, openReport: vi.fn(), stop },
      service: { state: { lab: null }, confirmMachine: confirm } as unknown as Pick<
        LabService,
        'state' | 'confirmMachine'
      >,
      appPaths: {} as AppPaths,
      get labOnMachine() {
        return `a lab on ${new URL(followedUrl).hostname}`;
      },
      knownNodes: ['arm'],
      machineWarning: 'This loopback address does not identify a machine.',
      get followedUrl() {
        return followedUrl;
      },
      showsDemo: false,
    },
  };
}
const labsInDialogs = () => vi.mocked(confirmSafetyStop).mock.calls.map(([lab]) => lab);

describe('stopFromTray', () => {
  it('stops the lab of its dialog', async () => {
    const { shown, stop } = fakeApp();
    await stopFromTray(shown);
    expect(labsInDialogs()).toEqual(['a lab on lab-b']);
    expect(stop).toHaveBeenCalledOnce();
  });

  it('opens another dialog without stopping a lab if another lab is shown when the first dialog is confirmed', async () => {
    const { shown, stop, confirm, show } = fakeApp();
    vi.mocked(confirmSafetyStop)
      .mockImplementationOnce(async () => {
        show('http://lab-c:8000/');
        return true;
      })
      .mockResolvedValueOnce(false);
    await stopFromTray(shown);
    expect(labsInDialogs()).toEqual(['a lab on lab-b', 'a lab on lab-c']);
    expect([stop, confirm].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });
});

it('stopFromPage closes the dialog of the tray', async () => {
  const { shown, stop } = fakeApp();
  await stopFromPage({ ...shown, machineWarning: null }, true);
  expect(closeDialogs).toHaveBeenCalledWith('safety-stop');
  expect(stop).toHaveBeenCalledOnce();
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
