/** Builds the status of a lab manager from its settings and its listening address. */
import { findFreePort, type ListeningServer, type PortInUseError } from './http/listening/listen.ts';
import { findPortOrigin } from './http/listening/listenTarget.ts';
import { accountName } from './commandLog/commandLog.ts';
import { managersTarget } from './attached/ownSettings.ts';
import { interfaceAddresses } from './net/interfaces.ts';
import type { ServiceOwner } from './routes/labHealth.ts';
import { isConfigured } from './settings/load/load.ts';
import type { SettingsResult } from './settings/schema/types.ts';
import type { RunningStatus, ServiceStatus } from './status.ts';

type LoadedSettings = Extract<SettingsResult, { ok: true }>;

export function runningStatus(
  loadedSettings: LoadedSettings,
  { port, addresses }: ListeningServer,
  lab: Pick<RunningStatus, 'labName' | 'followedUrl' | 'followLost' | 'demo'>,
): RunningStatus {
  const { settings, effective, warnings } = loadedSettings;
  return {
    phase: 'running',
    port,
    listening: addresses,
    loopbackUrl: `http://127.0.0.1:${port}/`,
    serverUrl: settings.serverUrl,
    updateFeed: settings.updateFeed,
    updatePublicKey: settings.updatePublicKey,
    ...lab,
    configured: isConfigured(loadedSettings),
    dashboard: settings.dashboardFiles.kind,
    dashboardOrigin: effective.find(({ name }) => name === 'dashboard_files_path')?.origin ?? null,
    settingsTarget: managersTarget(loadedSettings),
    mixedSettings: loadedSettings.mixed,
    warnings,
    problems: [],
    restartNeeded: [],
  };
}

export const serviceOwner = (loaded: LoadedSettings | null): ServiceOwner => ({
  account: accountName(),
  settings_file: loaded === null ? '' : managersTarget(loaded),
});

/** The status while the port is in use, with a free port to suggest. */
export async function portInUseStatus(
  { port, portOwner }: PortInUseError,
  loadedSettings: LoadedSettings,
): Promise<Extract<ServiceStatus, { phase: 'port-taken' }>> {
  const { serverUrl, listenPort, listenHost } = loadedSettings.settings;
  const portSetting = listenPort === null ? 'server_url' : 'listen_port';
  return {
    phase: 'port-taken',
    port,
    portOwner,
    portOrigin: findPortOrigin(loadedSettings),
    portSetting,
    serverUrl,
    listenHost,
    // A link-local address is valid only together with its interface.
    interfaces: interfaceAddresses().flatMap(({ address, internal, scopeid }) =>
      internal || scopeid ? [] : [address],
    ),
    freePort: await findFreePort(port + 10),
    settingsTarget: loadedSettings.targets.get(portSetting) ?? '',
  };
}
