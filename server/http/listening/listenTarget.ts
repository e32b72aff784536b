/** The configured listening address, and the origin of its settings. */
import type { ListenTarget } from './listen.ts';
import type { LabSettings, Origin, SettingsResult } from '../../settings/schema/types.ts';

type LoadedSettings = Extract<SettingsResult, { ok: true }>;

/** Port and interface from the settings: LAB_LISTEN_PORT, or else the port of LAB_SERVER_URL. */
export function getListenTarget(settings: LabSettings): ListenTarget {
  const url = new URL(settings.serverUrl);
  const defaultPort = url.protocol === 'https:' ? 443 : 80;
  return { host: settings.listenHost, port: settings.listenPort ?? (url.port === '' ? defaultPort : Number(url.port)) };
}

/**
 * Returns the settings that require a restart: they specify another address or database than the current one.
 * @param current the current address; `null` if the settings do not decide it
 */
export function settingsRequiringRestart(
  current: ListenTarget | null,
  databaseUrl: string | null,
  settings: LabSettings,
): string[] {
  const target = getListenTarget(settings);
  const port = settings.listenPort === null ? 'LAB_SERVER_URL' : 'LAB_LISTEN_PORT';
  return [
    ...(current === null || current.port === target.port ? [] : [port]),
    ...(current === null || current.host === target.host ? [] : ['LAB_LISTEN_HOST']),
    ...(databaseUrl === settings.databaseUrl ? [] : ['LAB_DATABASE_URL']),
  ];
}

export function findPortOrigin({ settings, effective }: Pick<LoadedSettings, 'settings' | 'effective'>): Origin {
  const name = settings.listenPort === null ? 'server_url' : 'listen_port';
  const effectiveSetting = effective.find((setting) => setting.name === name);
  if (!effectiveSetting) throw new Error(`The settings table has no ${name}`);
  return effectiveSetting.origin;
}

/** Warns about an https address of a service that has no certificate. */
export function listTlsWarnings({ serverUrl, tlsCertFile }: Pick<LabSettings, 'serverUrl' | 'tlsCertFile'>): string[] {
  if (!serverUrl.startsWith('https:') || tlsCertFile !== null) return [];
  return [
    'LAB_SERVER_URL is https, but this service speaks plain HTTP: set LAB_TLS_CERT_FILE, or terminate TLS at a proxy',
  ];
}
