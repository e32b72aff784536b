/**
 * Creates the context of the checks: the settings on disk, the program on the port, folders, and each manager's response.
 */
import { dirname, join } from 'node:path';
import { labHistory, type LabContext } from '#api/lab/lab.ts';
import { contextKey, managerKeys, managerTitle } from '#api/managers.ts';
import { healthUrl } from '../../health/probe.ts';
import { describePortOwner } from '../../http/listening/listen.ts';
import { findRegistryPath } from '../../identity/labIdentity.ts';
import { identify, isPortInUse } from '../../net/portOwner.ts';
import { requestJson } from '../../net/requestJson.ts';
import { appFolders, hasAppRun } from '../../storage/appFolders.ts';
import { stateDir, systemService } from '../../storage/installation.ts';
import { findAccount, currentAccount } from '../../storage/writeAccess.ts';
import { getListenTarget } from '../../http/listening/listenTarget.ts';
import { findMadsciDirectory, findSettingsStart } from '../../settings/load/sources.ts';
import { formatProblem } from '../../settings/parse/problem.ts';
import { loadSettings } from '../../settings/load/load.ts';
import { getSetting, type SettingName } from '../../settings/schema/table.ts';
import type { SettingsInputs, SettingsResult } from '../../settings/schema/types.ts';
import {
  exchangeTimeoutMs,
  type AppDetails,
  type CheckContext,
  type LabDetails,
  type ManagerAddress,
  type PortOccupant,
} from './check.ts';
import { pageOrigin } from './cors.ts';
import { pastWindowHours } from './pastHours.ts';
import { exchange, type Exchange } from '../../net/exchange.ts';

export interface ContextOptions {
  readonly inputs: SettingsInputs;
  /** The log's folder; by default the app's, or that of the headless service for these settings. */
  readonly logDir?: string;
  /** The service's port, if it differs from the settings. */
  readonly port?: number;
  /** Whether it is intentionally available on this machine only. */
  readonly listensOnLoopbackOnly?: boolean;
  readonly app?: AppDetails;
  /**
   * The lab manager on another machine that the app follows, reported if no service runs here; `null` if there is none.
   */
  readonly follow?: string | null;
}

/** Returns the data for the checks and the bundle. Never rejects for invalid settings or responses. */
export async function makeContext({
  inputs,
  logDir,
  port,
  listensOnLoopbackOnly = false,
  app,
  follow = null,
}: ContextOptions): Promise<{ readonly context: CheckContext; readonly settingsResult: SettingsResult }> {
  const loaded = await loadSettings(inputs);
  const lab = loaded.ok ? await collectLabDetails(loaded, port, { listensOnLoopbackOnly, follow }) : null;
  const requests = new Map<string, Promise<Exchange>>();
  const health = ({ url }: ManagerAddress): Promise<Exchange> => {
    const origin = lab === null ? {} : { origin: pageOrigin(lab.serverUrl) };
    const headers = { accept: 'application/json', ...origin };
    const response = requests.get(url) ?? exchange(healthUrl(url), { headers, timeoutMs: exchangeTimeoutMs });
    requests.set(url, response);
    return response;
  };
  const state = stateDir(process.platform, inputs.env, inputs.homeDir);
  // Root checks the service of the machine, which runs as a separate account.
  const isSystemService = process.getuid?.() === 0 && state === systemService.state;
  const context: CheckContext = {
    lab,
    settingsProblems: loaded.ok ? [] : loaded.problems.map(formatProblem),
    settingsFiles: loaded.files,
    containsSecrets: loaded.ok && loaded.effective.some(({ name, origin }) => isSecret(name) && origin.path !== null),
    folders: [
      { use: 'settings', path: inputs.userConfigDir },
      { use: 'state', path: state },
      { use: 'log', path: logDir ?? (await reportedLogDir(inputs)) },
    ],
    registryFolder:
      loaded.ok && loaded.settings.enableRegistryResolution ? dirname(await findRegistryPath(inputs)) : null,
    account: (isSystemService ? await findAccount(systemService.user) : null) ?? currentAccount(),
    health,
    app: app ?? null,
  };
  return { context, settingsResult: loaded };
}

/** The folder of the reported log: the app's, if it has run for this account and no other settings are selected. */
async function reportedLogDir(inputs: SettingsInputs): Promise<string> {
  const app = appFolders(process.platform, inputs.env, inputs.homeDir);
  const { isExplicit } = await findSettingsStart(inputs);
  return hasAppRun(app) && !isExplicit ? app.logDir : headlessLogDir(inputs);
}

/** The log's folder of the headless service with these settings. */
export async function headlessLogDir(inputs: SettingsInputs): Promise<string> {
  return join(await findMadsciDirectory(inputs), 'logs');
}

function isSecret(name: string): boolean {
  return getSetting(name as SettingName).isSecret;
}

async function collectLabDetails(
  { settings }: Extract<SettingsResult, { ok: true }>,
  portOption: number | undefined,
  options: Required<Pick<ContextOptions, 'listensOnLoopbackOnly' | 'follow'>>,
): Promise<LabDetails> {
  const port = portOption ?? getListenTarget(settings).port;
  const { listenHost, serverUrl, sharedAddress, databaseUrl, advertisedHost, context } = settings;
  const service = await findService(port, options.follow);
  const listensOnLoopbackOnly =
    options.listensOnLoopbackOnly || (service.kind === 'running' && service.history.demo === true);
  const managers = listManagers(context, service);
  const hasDatabase = databaseUrl !== null;
  return {
    port,
    listenHost,
    listensOnLoopbackOnly,
    serverUrl,
    sharedAddress,
    hasDatabase,
    advertisedHost,
    context,
    managers,
    service,
  };
}

/** The managers of the running service, which may follow another lab; without a service, those of the settings. */
function listManagers(context: LabContext, service: PortOccupant): readonly ManagerAddress[] {
  if (service.kind === 'running')
    return service.history.managers.map(({ manager, url }) => ({ key: manager, name: managerTitle(manager), url }));
  return managerKeys.flatMap((key) => {
    const url = context[contextKey(key)];
    return url === null ? [] : [{ key, name: managerTitle(key), url }];
  });
}

/** Identifies the program on the port, as seen from this machine. */
async function findService(port: number, follow: string | null): Promise<PortOccupant> {
  const url = `http://127.0.0.1:${port}/`;
  const response = await requestJson(`${url}lab_health/history?hours=${pastWindowHours}`, 4000);
  const history = response.ok ? labHistory.safeParse(response.body) : null;
  if (history?.success) return { kind: 'running', url, history: history.data };
  if (!(await isPortInUse('127.0.0.1', port))) return { kind: 'none', url, follow };
  return { kind: 'other', url, program: describePortOwner(await identify('127.0.0.1', port)) };
}
