/** Which lab is shown: connecting to a lab manager elsewhere, the ones connected to before, and back to this machine's own. */
import { hostname, networkInterfaces } from 'node:os';
import { isLoopbackHost } from '../../api/hosts.ts';
import { findLabManager, parseLabAddress, type FoundLabManager } from '../../server/attached/findLabManager.ts';
import type { PreferencesFile } from '../preferences/preferences.ts';
import type { LabService } from '../service/labService.ts';

/** So many are remembered. */
const maxRecents = 8;

/** What shows one lab or another. */
export interface LabSwitch {
  readonly preferences: PreferencesFile;
  readonly service: Pick<LabService, 'state'>;
  /** The lab manager on another machine whose lab is shown. */
  readonly follows: string | null;
  readonly showsDemo: boolean;
  /** To the lab of the preferences. */
  readonly startOwnLab: () => void;
  readonly leaveDemo: () => Promise<void>;
}

/** Tries an address; nothing is changed. @throws Error in words for the page */
export async function testLab(app: LabSwitch, text: string): Promise<FoundLabManager> {
  const address = parseLabAddress(text);
  if (address.ok && isOwnService(app, new URL(address.value))) {
    throw new Error('This is the lab manager of this machine, whose lab is shown already.');
  }
  return findLabManager(text);
}

/** Shows its lab once it has answered; until then everything stays as it is. @throws Error in words for the page */
export async function connectLab(app: LabSwitch, text: string): Promise<void> {
  const { url, labName } = await testLab(app, text);
  const others = app.preferences.values.recentLabs.filter((recent) => recent.url !== url);
  app.preferences.change({
    follow: url,
    recentLabs: [{ url, name: labName }, ...others].slice(0, maxRecents),
  });
  await switchLab(app);
}

/** Back to this machine's own lab. */
export function disconnectLab(app: LabSwitch): Promise<void> {
  app.preferences.change({ follow: null });
  return switchLab(app);
}

/** To the lab of the preferences, from the demo lab too. */
async function switchLab(app: LabSwitch): Promise<void> {
  if (app.showsDemo) await app.leaveDemo();
  else app.startOwnLab();
}

/** Whether the service of this app, or the one that it is attached to, answers there. */
function isOwnService({ service, follows }: LabSwitch, url: URL): boolean {
  const { status } = service.state;
  const own = status.phase === 'running' ? status.loopbackUrl : status.phase === 'attached' ? status.url : null;
  if (own === null || follows !== null) return false;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const addresses = Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address));
  const isHere = isLoopbackHost(host) || host === hostname().toLowerCase() || addresses.includes(host);
  return isHere && (url.port || '80') === (new URL(own).port || '80');
}
