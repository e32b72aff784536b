import { describe, expect, it, vi } from 'vitest';
import type { ServiceStatus } from '../../server/status.ts';
import { defaultOrigin, runningStatus } from '../fixtures/states.ts';
import { useFreePort, useOtherLabManager } from './portInUse.ts';

type PortInUse = Extract<ServiceStatus, { phase: 'port-taken' }>;

const portInUse = (changes: Partial<PortInUse> = {}): PortInUse => ({
  phase: 'port-taken',
  port: 8000,
  portOwner: { kind: 'madsci', url: 'http://127.0.0.1:8000/', version: '0.8.1', name: null, process: null },
  portOrigin: defaultOrigin,
  portSetting: 'listen_port',
  serverUrl: 'http://lab-pc:8000/',
  freePort: 8001,
  settingsTarget: '/config/lab.settings.yaml',
  ...changes,
});

function fakeApp(status: ServiceStatus) {
  const writeSettings = vi.fn(async () => '/config/lab.settings.yaml');
  const startService = vi.fn();
  return { service: { state: { status }, writeSettings } as never, writeSettings, startService };
}

describe('useOtherLabManager', () => {
  it('shows the lab of the lab manager that uses the port', () => {
    const app = fakeApp(portInUse());
    useOtherLabManager(app);
    expect(app.startService).toHaveBeenCalledWith({ kind: 'follow', url: 'http://127.0.0.1:8000/' });
  });

  it.each<[string, ServiceStatus]>([
    ['another program uses the port', portInUse({ portOwner: { ...portInUse().portOwner, kind: 'unknown' } })],
    ['the port is free', runningStatus()],
  ])('throws when %s', (_name, status) => {
    const app = fakeApp(status);
    expect(() => useOtherLabManager(app)).toThrow('There is no lab manager to use');
    expect(app.startService).not.toHaveBeenCalled();
  });
});

describe('useFreePort', () => {
  it.each<[string, PortInUse, object]>([
    ['the port', portInUse(), { listen_port: '8001' }],
    ['the server address', portInUse({ portSetting: 'server_url' }), { server_url: 'http://lab-pc:8001/' }],
  ])('stores %s in the settings, then restarts', async (_name, status, storedSettings) => {
    const app = fakeApp(status);
    await useFreePort(app);
    expect(app.writeSettings).toHaveBeenCalledWith(storedSettings);
    expect(app.startService).toHaveBeenCalledWith();
  });

  it('applies to this start only when the port is set by a source that ranks before the file', async () => {
    const portOrigin = { ...defaultOrigin, source: 'environment', name: 'LAB_SERVER_URL' } as const;
    const app = fakeApp(portInUse({ portSetting: 'server_url', portOrigin }));
    await useFreePort(app);
    expect(app.writeSettings).not.toHaveBeenCalled();
    expect(app.startService).toHaveBeenCalledWith({ kind: 'serve' }, ['--lab-server-url=http://lab-pc:8001/']);
  });

  it('starts nothing when the settings can’t be written', async () => {
    const app = fakeApp(portInUse());
    app.writeSettings.mockRejectedValueOnce(new Error('read-only'));
    await expect(useFreePort(app)).rejects.toThrow('read-only');
    expect(app.startService).not.toHaveBeenCalled();
  });
});
