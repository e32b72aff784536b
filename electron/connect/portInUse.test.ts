import { describe, expect, it, vi } from 'vitest';
import type { ServiceStatus } from '../../server/status.ts';
import { attachedStatus, defaultOrigin, portInUseStatus, runningStatus } from '../fixtures/states.ts';
import { connectLab } from './connectLab.ts';
import { chooseLabManager, useOtherLabManager, usePort } from './portInUse.ts';

vi.mock('./connectLab.ts', () => ({ connectLab: vi.fn() }));

function fakeApp(status: ServiceStatus) {
  const writeSettings = vi.fn(async () => '/config/lab.settings.yaml');
  const startService = vi.fn();
  return { service: { state: { status }, writeSettings } as never, writeSettings, startService };
}
const asLabSwitch = (app: ReturnType<typeof fakeApp>) => app as never;

describe('chooseLabManager', () => {
  const otherOwner = { account: 'ann', settingsFile: '/ann.yaml', ownSettingsFile: '/bob.yaml' };

  it('leaves the lab manager of another owner without attaching to it again', () => {
    const app = fakeApp(attachedStatus({ otherOwner }));
    chooseLabManager(app);
    expect(app.startService).toHaveBeenCalledWith({ kind: 'serve' }, undefined, otherOwner);
  });

  it.each<[string, ServiceStatus]>([
    ['the app is attached to its own service', attachedStatus()],
    ['the app runs its service', runningStatus()],
  ])('throws when %s', (_name, status) => {
    expect(() => chooseLabManager(fakeApp(status))).toThrow('Your own settings are in use');
  });
});

describe('useOtherLabManager', () => {
  it('connects to the lab manager that uses the port, which the preferences store', async () => {
    const app = fakeApp(portInUseStatus());
    await useOtherLabManager(asLabSwitch(app));
    expect(connectLab).toHaveBeenCalledWith(app, 'http://127.0.0.1:8000/');
  });

  it('attaches again to the lab manager of another owner', async () => {
    const app = fakeApp(portInUseStatus({ portOwner: { kind: 'ours' } }));
    await useOtherLabManager(asLabSwitch(app));
    expect(app.startService).toHaveBeenCalledWith({ kind: 'serve' });
  });

  it.each<[string, ServiceStatus]>([
    ['another program uses the port', portInUseStatus({ portOwner: { kind: 'unknown' } })],
    ['the port is free', runningStatus()],
  ])('throws when %s', async (_name, status) => {
    const app = fakeApp(status);
    await expect(useOtherLabManager(asLabSwitch(app))).rejects.toThrow('There is no lab manager to use');
    expect(app.startService).not.toHaveBeenCalled();
  });
});

describe('usePort', () => {
  it.each<[string, ServiceStatus, string | null, object]>([
    ['the port', portInUseStatus(), null, { listen_port: '8001' }],
    ['the server address', portInUseStatus({ portSetting: 'server_url' }), null, { server_url: 'http://lab-pc:8001/' }],
    ['another interface', portInUseStatus(), '192.0.2.17', { listen_port: '8001', listen_host: '192.0.2.17' }],
    ['all interfaces', portInUseStatus({ listenHost: '::1' }), null, { listen_port: '8001', listen_host: null }],
  ])('stores %s in the settings, then restarts', async (_name, status, host, storedSettings) => {
    const app = fakeApp(status);
    await usePort(app, 8001, host);
    expect(app.writeSettings).toHaveBeenCalledWith(storedSettings);
    expect(app.startService).toHaveBeenCalledWith();
  });

  it('applies to this start only when the port is set by a source that ranks before the file', async () => {
    const portOrigin = { ...defaultOrigin, source: 'environment', name: 'LAB_SERVER_URL' } as const;
    const app = fakeApp(portInUseStatus({ portSetting: 'server_url', portOrigin }));
    await usePort(app, 8001, '127.0.0.1');
    expect(app.writeSettings).not.toHaveBeenCalled();
    const options = ['--lab-server-url=http://lab-pc:8001/', '--lab-listen-host=127.0.0.1'];
    expect(app.startService).toHaveBeenCalledWith({ kind: 'serve' }, options);
  });

  it('starts nothing when the settings can’t be written', async () => {
    const app = fakeApp(portInUseStatus());
    app.writeSettings.mockRejectedValueOnce(new Error('read-only'));
    await expect(usePort(app, 8001, null)).rejects.toThrow('read-only');
    expect(app.startService).not.toHaveBeenCalled();
  });
});
