/**
 * Switches the displayed lab: connects to a lab manager of another machine, lists recent ones, and returns to this
 * machine's lab.
 */
import { hostname, networkInterfaces } from 'node:os';
import { isLoopbackHost } from '../../api/hosts.ts';
import { findLabManager, type FoundLabManager } from '../../server/attached/findLabManager.ts';
import { parseLabAddress } from '../../server/settings/parse/addresses.ts';
import type { PreferencesFile } from '../preferences/preferences.ts';
import type { LabService } from '../service/labService.ts';

const maxRecents = 8;

/** The parts of the app that switching the lab uses. */
export interface LabSwitch {
  readonly preferences: PreferencesFile;
  readonly service: Pick<LabService, 'state'>;
  /** The lab manager on another machine whose lab is shown. */
  readonly follows: string | null;
  readonly showsDemo: boolean;
  /** Starts the lab of the preferences. */
  readonly startOwnLab: () => void;
  readonly leaveDemo: () => Promise<void>;
}

/** Tests an address without changing anything. @throws Error with a message for the page */
export async function testLab(app: LabSwitch, text: string): Promise<FoundLabManager> {
  const address = parseLabAddress(text);
  if (address.ok && isOwnService(app, new URL(address.value))) {
    throw new Error('This is the lab manager of this machine, whose lab is shown already.');
  }
  return findLabManager(text);
}

/**
 * Shows the lab of an address after it has responded; until then nothing changes.
 * @throws Error with a message for the page
 */
export async function connectLab(app: LabSwitch, text: string): Promise<void> {
  const { url, labName } = await testLab(app, text);
  const others = app.preferences.values.recentLabs.filter((recent) => recent.url !== url);
  app.preferences.change({
    follow: url,
    recentLabs: [{ url, name: labName }, ...others].slice(0, maxRecents),
  });
  await switchLab(app);
}

/** Returns to this machine's lab. */
export function disconnectLab(app: LabSwitch): Promise<void> {
  app.preferences.change({ follow: null });
  return switchLab(app);
}

/** Switches to the lab in the preferences, and leaves the demo lab. */
async function switchLab(app: LabSwitch): Promise<void> {
  if (app.showsDemo) await app.leaveDemo();
  else app.startOwnLab();
}

/** Whether the address belongs to this app's service, or to the service that it is attached to. */
function isOwnService({ service, follows }: LabSwitch, url: URL): boolean {
  const { status } = service.state;
  const own = status.phase === 'running' ? status.loopbackUrl : status.phase === 'attached' ? status.url : null;
  if (own === null || follows !== null) return false;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const addresses = Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address));
  const isHere = isLoopbackHost(host) || host === hostname().toLowerCase() || addresses.includes(host);
  return isHere && (url.port || '80') === (new URL(own).port || '80');
}
