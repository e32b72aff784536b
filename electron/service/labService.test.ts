import { beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import type { Reply, ShellMessage } from '../../server/lifecycle/messages.ts';
import type { ServiceStatus } from '../../server/status.ts';
import type { SettingsInputs } from '../../server/settings/schema/types.ts';
import { attachedStatus, labStatus, portInUseStatus, runningStatus } from '../fixtures/states.ts';
import { LabService } from './labService.ts';
import type { Announcement, ServiceCrash, ServiceProcessEvents } from './serviceProcess.ts';

type Start = Extract<ShellMessage, { type: 'start' }>;

/** A fake service process: the messages sent to it, and the events it raises. */
const fakeProcess = vi.hoisted(() => ({
  events: null as unknown as ServiceProcessEvents,
  started: [] as Start[],
  sent: [] as string[],
  reply: { ok: true, value: null } as Reply,
}));
vi.mock('./serviceProcess.ts', () => ({
  ServiceProcess: class {
    constructor(_entry: string, _log: unknown, events: ServiceProcessEvents) {
      fakeProcess.events = events;
    }
    start(message: Start): void {
      fakeProcess.started.push(message);
    }
    send({ type }: ShellMessage): void {
      fakeProcess.sent.push(type);
    }
    request(): Promise<Reply> {
      return Promise.resolve(fakeProcess.reply);
    }
  },
}));

const onChange = vi.fn();
const onNodes = vi.fn();
const onNotification = vi.fn();
let service: LabService;

beforeEach(() => {
  vi.clearAllMocks();
  Object.assign(fakeProcess, { started: [], sent: [], reply: { ok: true, value: null } });
  service = new LabService({
    entry: '/service.js',
    log: silentLog,
    logDir: '/logs',
    inputs: (extraOptions) => ({ argv: extraOptions }) as unknown as SettingsInputs,
    onChange,
    onNodes,
    onNotification,
  });
});

type WithoutRun<T> = T extends unknown ? Omit<T, 'run'> : never;
/** Raises a message of the last start, unless `run` is given. */
function announce(message: WithoutRun<Announcement>, run = fakeProcess.started.at(-1)?.run ?? 0): void {
  fakeProcess.events.onMessage({ ...message, run } as Announcement);
}
const status = (serviceStatus: ServiceStatus) =>
  announce({ type: 'status', status: serviceStatus, logFile: '/logs/service.log' });
const crash: ServiceCrash = {
  reason: 'It stopped',
  exitCode: 1,
  crashes: 4,
  isCrashingRepeatedly: true,
  nextRetryAt: 5,
};

const portInUse = (kind: 'ours' | 'madsci') => portInUseStatus({ portOwner: { kind } });

describe('a start of the service', () => {
  it('sends the mode, the inputs and a new run ID, and clears the previous lab', () => {
    service.start();
    announce({ type: 'lab', lab: labStatus('healthy') });
    service.start({ kind: 'follow', url: 'http://lab-b:8000/' });
    expect(fakeProcess.started.map(({ run, mode }) => [run, mode.kind])).toEqual([
      [1, 'serve'],
      [2, 'follow'],
    ]);
    expect(service.state).toMatchObject({ status: { phase: 'starting' }, lab: null, receivedAt: null });
  });

  it('discards the states of other labs at a new start and after a crash', () => {
    const lab = { url: 'http://lab-b:8000/', labName: null, state: 'healthy', reason: null, managers: null } as const;
    service.start();
    announce({ type: 'other-labs', labs: [lab] });
    expect(service.state.otherLabs).toEqual([lab]);
    service.start();
    expect(service.state.otherLabs).toEqual([]);
    announce({ type: 'other-labs', labs: [lab] });
    fakeProcess.events.onCrash(crash);
    expect(service.state.otherLabs).toEqual([]);
  });

  it('keeps extra options until a start with different options', () => {
    service.start({ kind: 'serve' }, ['--lab-listen-port=8001']);
    service.start();
    service.start({ kind: 'serve' }, []);
    expect(fakeProcess.started.map(({ inputs }) => inputs.argv)).toEqual([
      ['--lab-listen-port=8001'],
      ['--lab-listen-port=8001'],
      [],
    ]);
  });

  it('attaches to a copy of the service that has the port, and to nothing else', () => {
    service.start();
    status(portInUse('madsci'));
    expect(service.state.status.phase).toBe('port-taken');
    status(portInUse('ours'));
    expect(fakeProcess.started.at(-1)?.mode).toEqual({ kind: 'attach', url: 'http://127.0.0.1:8000/' });
  });

  it('does not attach while the user chooses between the copy and a new service', () => {
    service.start({ kind: 'serve' }, [], false);
    status(portInUse('ours'));
    expect(service.state.status.phase).toBe('port-taken');
    service.start();
    status(portInUse('ours'));
    expect(fakeProcess.started.at(-1)?.mode.kind).toBe('attach');
  });
});

describe('messages of the service', () => {
  it('are ignored if they are from an earlier run', () => {
    service.start();
    service.start();
    announce({ type: 'lab', lab: labStatus('failed') }, 1);
    expect(service.state.lab).toBeNull();
  });

  it('are ignored if they are from the service that ran before the demo lab was started', () => {
    service.start();
    service.prepare();
    status({ phase: 'failed', reason: 'stopped' });
    expect(service.state.status.phase).toBe('starting');
  });

  it('report nodes and notifications to the app', () => {
    service.start();
    const nodes = { workcell: 'http://lab-pc:8005/', nodes: [] };
    const notification = { kind: 'manager', title: 'Data Manager: unreachable', body: '', path: '/lab', subjects: [] };
    announce({ type: 'nodes', nodes });
    announce({ type: 'notification', notification } as unknown as WithoutRun<Announcement>);
    expect(onNodes).toHaveBeenCalledWith(nodes);
    expect(onNotification).toHaveBeenCalledWith(notification);
  });
});

describe('the state of the service', () => {
  it.each<[string, ServiceStatus, string | null]>([
    ['is running', runningStatus(), 'http://127.0.0.1:8000/'],
    ['is attached', attachedStatus({ url: 'http://127.0.0.1:9000/' }), 'http://127.0.0.1:9000/'],
    ['has failed', { phase: 'failed', reason: 'no' }, null],
    ['is starting', { phase: 'starting' }, null],
  ])('has the address of the dashboard only while there is a service: it %s', (_name, serviceStatus, url) => {
    service.start();
    status(serviceStatus);
    expect(service.dashboardUrl).toBe(url);
  });

  it('includes the app key only while the service of this start runs', () => {
    service.start();
    announce({ type: 'app-key', key: 'first' });
    expect(service.appKey).toBeNull();
    status(runningStatus());
    expect(service.appKey).toBe('first');
    fakeProcess.events.onCrash(crash);
    status(runningStatus());
    expect(service.appKey).toBeNull();
    announce({ type: 'app-key', key: 'second' });
    expect(service.appKey).toBe('second');
    service.start();
    announce({ type: 'app-key', key: 'of an earlier start' }, 1);
    status(runningStatus());
    expect(service.appKey).toBeNull();
    announce({ type: 'app-key', key: 'third' });
    status(attachedStatus());
    expect(service.appKey).toBeNull();
    expect(JSON.stringify(service.state)).not.toMatch(/first|second|third/);
  });

  it('keeps a crash until the service reports a definite state', () => {
    service.start();
    fakeProcess.events.onCrash(crash);
    expect(service.state).toMatchObject({ lastCrash: crash, status: { phase: 'starting' } });
    status({ phase: 'starting' });
    expect(service.state.lastCrash).toBe(crash);
    status(runningStatus());
    expect(service.state.lastCrash).toBeNull();
  });

  it('keeps the time of the first failure until the next start', () => {
    vi.useFakeTimers({ now: 1000 });
    service.start();
    service.fail('no such program');
    vi.setSystemTime(2000);
    fakeProcess.events.onCrash(crash);
    expect(service.state.failedSince).toBe(1000);
    service.start();
    expect(service.state.failedSince).toBeNull();
    vi.useRealTimers();
  });

  it('has no time of receipt after the machine was suspended', () => {
    service.start();
    announce({ type: 'lab', lab: labStatus('healthy') });
    service.suspend();
    service.resume();
    expect(fakeProcess.sent).toEqual(['suspend', 'resume']);
    expect(service.state).toMatchObject({ receivedAt: null, lab: { state: 'healthy' } });
  });
});

describe('replies of the service', () => {
  it('are errors with the reason when a request is rejected', async () => {
    fakeProcess.reply = { ok: false, error: 'The file is read-only' };
    await expect(service.writeSettings({ log_level: 'DEBUG' })).rejects.toThrow('The file is read-only');
  });

  it('are errors when their format is invalid', async () => {
    fakeProcess.reply = { ok: true, value: { ok: 'yes' } };
    await expect(service.testAddress('data', 'http://lab-pc:8004/')).rejects.toThrow(/expected/);
  });

  it('are an empty list of recent clients when invalid, so that a hanging service can’t prevent quitting', async () => {
    fakeProcess.reply = { ok: true, value: ['10.0.0.4'] };
    expect(await service.readRecentClients()).toEqual(['10.0.0.4']);
    for (const reply of [
      { ok: false, error: 'The lab manager service does not answer' } as const,
      { ok: true, value: 3 } as const,
    ]) {
      fakeProcess.reply = reply;
      expect(await service.readRecentClients()).toEqual([]);
    }
  });
});
