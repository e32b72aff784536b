/** Which lab is shown: connecting to a lab manager elsewhere, the ones connected to before, and back to this machine's own. */
import { hostname, networkInterfaces } from 'node:os';
import { isLoopbackHost } from '../../api/hosts.ts';
import { findLabManager, parseLabAddress, type FoundLabManager } from '../../server/attached/findLabManager.ts';
import type { ShellRequest } from '../ipc/contract.ts';
import type { Desktop } from '../desktop.ts';

/** So many are remembered. */
const maxRecents = 8;

type LabChoice = Extract<ShellRequest, { ask: 'recent-labs' | 'test-lab' | 'connect' | 'disconnect' }>;

/** Answers whatever page lets a person choose the lab. */
export async function answerLabChoice(desktop: Desktop, request: LabChoice): Promise<unknown> {
  switch (request.ask) {
    case 'recent-labs':
      return desktop.preferences.values.recentLabs;
    case 'test-lab':
      return testLab(desktop, request.url);
    case 'connect':
      return connectLab(desktop, request.url);
    case 'disconnect':
      return disconnectLab(desktop);
  }
}

/** Tries an address; nothing is changed. @throws Error in words for the page */
async function testLab(desktop: Desktop, text: string): Promise<FoundLabManager> {
  const address = parseLabAddress(text);
  if (address.ok && isOwnService(desktop, new URL(address.value))) {
    throw new Error('This is the lab manager of this machine, whose lab is shown already.');
  }
  return findLabManager(text);
}

/** Shows its lab once it has answered; until then everything stays as it is. @throws Error in words for the page */
async function connectLab(desktop: Desktop, text: string): Promise<void> {
  const { url, labName } = await testLab(desktop, text);
  const others = desktop.preferences.values.recentLabs.filter((recent) => recent.url !== url);
  desktop.preferences.change({
    follow: url,
    recentLabs: [{ url, name: labName }, ...others].slice(0, maxRecents),
  });
  await switchLab(desktop);
}

/** Back to this machine's own lab. */
export function disconnectLab(desktop: Desktop): Promise<void> {
  desktop.preferences.change({ follow: null });
  return switchLab(desktop);
}

/** To the lab of the preferences, from the demo lab too. */
async function switchLab(desktop: Desktop): Promise<void> {
  if (desktop.showsDemo) await desktop.leaveDemo();
  else desktop.startOwnLab();
}

/** Whether the service of this app, or the one that it is attached to, answers there. */
function isOwnService({ service, follows }: Desktop, url: URL): boolean {
  const { status } = service.state;
  const own = status.phase === 'running' ? status.loopbackUrl : status.phase === 'attached' ? status.url : null;
  if (own === null || follows !== null) return false;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const addresses = Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address));
  const isHere = isLoopbackHost(host) || host === hostname().toLowerCase() || addresses.includes(host);
  return isHere && (url.port || '80') === (new URL(own).port || '80');
}
