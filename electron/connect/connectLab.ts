/**
 * Switches the displayed lab: connects to a lab manager of another machine, keeps the list of chosen labs, and returns to
 * this machine's lab.
 */
import { hostname } from 'node:os';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import { isLoopbackHost } from '../../api/hosts.ts';
import { labLabel, savedLabLabel, unreadFollowedLab } from '../../api/lab/followedLab.ts';
import { interfaceAddresses } from '../../server/net/interfaces.ts';
import { findLabManager, type FoundLabManager } from '../../server/attached/findLabManager.ts';
import { parseLabAddress } from '../../server/settings/parse/addresses.ts';
import type { ChosenLab } from '../ipc/contract.ts';
import type { SwitcherLab } from '../menu/menu.ts';
import type { PreferencesFile } from '../preferences/preferences.ts';
import type { LabService } from '../service/labService.ts';

/** The maximum number of chosen labs: the keys Ctrl+2 to Ctrl+9 select them. */
const maxLabs = 8;

/** The parts of the app that switching the lab uses. */
export interface LabSwitch {
  readonly preferences: PreferencesFile;
  readonly service: Pick<LabService, 'state' | 'watchLabs'>;
  /** Address of the lab manager on another machine whose lab is shown; `null` for this machine's lab. */
  readonly followedUrl: string | null;
  readonly showsDemo: boolean;
  /** Starts the lab of the preferences. */
  readonly startPreferredLab: () => void;
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

/** The choice of a lab in a menu, until the lab is shown. */
export interface MenuChoice {
  /** `Culture on culture-pc` */
  readonly label: string;
  /** Why and since when it can't be shown, in ms since the epoch; `null` while it is being read. */
  readonly failure: { readonly reason: string; readonly at: number } | null;
}

/** The latest choice of a lab. A lab that responds only after another one was chosen is not shown. */
let latestChoice: { readonly fromMenu: MenuChoice | null } = { fromMenu: null };
export const currentMenuChoice = (): MenuChoice | null => latestChoice.fromMenu;

/**
 * Shows a lab that was chosen in a menu; until it responds, a notice in the window shows its name.
 * @throws Error with a message for a notification
 */
export async function chooseLab(app: LabSwitch & { readonly updateViews: () => void }, url: string): Promise<void> {
  const name = app.preferences.values.chosenLabs.find((lab) => lab.url === url)?.name ?? null;
  const choice: MenuChoice = { label: savedLabLabel({ url, name }), failure: null };
  const connection = connectLab(app, url, choice);
  app.updateViews();
  const showOutcome = (outcome: MenuChoice | null): void => {
    if (latestChoice.fromMenu === choice) latestChoice = { fromMenu: outcome };
    app.updateViews();
  };
  try {
    await connection;
    showOutcome(null);
  } catch (error) {
    showOutcome({ ...choice, failure: { reason: errorText(error), at: clock.now() } });
    throw error;
  }
}

/**
 * Shows the lab of an address after it has responded; until then nothing changes.
 * @throws Error with a message for the page
 */
export async function connectLab(app: LabSwitch, text: string, fromMenu: MenuChoice | null = null): Promise<void> {
  const choice = { fromMenu };
  latestChoice = choice;
  const { url, labName } = await testLab(app, text);
  if (choice !== latestChoice) return;
  app.preferences.change({
    follow: url,
    chosenLabs: addOrUpdateLab(app.preferences.values.chosenLabs, { url, name: labName }),
  });
  if (app.followedUrl !== url || app.showsDemo) await switchLab(app);
}

/** Each lab keeps its place, because its key depends on it; a ninth lab replaces the last one. */
function addOrUpdateLab(labs: readonly ChosenLab[], lab: ChosenLab): ChosenLab[] {
  const isKnown = labs.some(({ url }) => url === lab.url);
  return isKnown
    ? labs.map((chosenLab) => (chosenLab.url === lab.url ? lab : chosenLab))
    : [...labs.slice(0, maxLabs - 1), lab];
}

/** Removes a lab from the switcher and the tray; the shown one stays shown. */
export function forgetLab({ preferences, service }: Pick<LabSwitch, 'preferences' | 'service'>, labUrl: string): void {
  preferences.change({ chosenLabs: preferences.values.chosenLabs.filter(({ url }) => url !== labUrl) });
  service.watchLabs();
}

/** Stores the names that the chosen labs report now, for all lists of them. */
export function renameLabs({ preferences, service }: Pick<LabSwitch, 'preferences' | 'service'>): void {
  const { chosenLabs } = preferences.values;
  const renamed = chosenLabs.map(({ url, name }) => {
    const reading = service.state.otherLabs.find((lab) => lab.url === url);
    return { url, name: reading?.labName ?? name };
  });
  const isChanged = renamed.some(({ name }, index) => name !== chosenLabs[index]?.name);
  if (isChanged) preferences.change({ chosenLabs: renamed });
}

/** Returns to this machine's lab. */
export async function disconnectLab(app: LabSwitch): Promise<void> {
  latestChoice = { fromMenu: null };
  app.preferences.change({ follow: null });
  if (app.followedUrl !== null || app.showsDemo) await switchLab(app);
}

/** Switches to the lab in the preferences, and leaves the demo lab. */
async function switchLab(app: LabSwitch): Promise<void> {
  if (app.showsDemo) await app.leaveDemo();
  else app.startPreferredLab();
}

/** The labs of the switcher, in the order of their keys. */
export function switcherLabs({
  preferences,
  followedUrl,
  showsDemo,
}: Pick<LabSwitch, 'preferences' | 'followedUrl' | 'showsDemo'>): SwitcherLab[] {
  const others = preferences.values.chosenLabs.map(({ url, name }) => ({
    label: savedLabLabel({ url, name }),
    url,
    isShown: !showsDemo && followedUrl === url,
  }));
  return [{ label: 'This Machine’s Lab', url: null, isShown: !showsDemo && followedUrl === null }, ...others];
}

/** The shown lab and its machine, as in dialogs: `Bench on this machine (bench-1)`. */
export function shownLabText({ service, followedUrl }: Pick<LabSwitch, 'service' | 'followedUrl'>): string {
  const { status, lab } = service.state;
  const name = lab?.lab_name ?? (status.phase === 'running' ? status.labName : null);
  if (followedUrl === null) return `${name ?? 'the lab'} on this machine (${hostname()})`;
  return labLabel({ lab_name: name, followed: lab?.followed ?? unreadFollowedLab(followedUrl) }, 'the lab');
}

/** Returns whether the address belongs to this app's service, or to the service that it is attached to. */
function isOwnService({ service, followedUrl }: LabSwitch, url: URL): boolean {
  const { status } = service.state;
  const localUrl = status.phase === 'running' ? status.loopbackUrl : status.phase === 'attached' ? status.url : null;
  if (localUrl === null || followedUrl !== null) return false;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const addresses = interfaceAddresses().map(({ address }) => address);
  const isThisMachine = isLoopbackHost(host) || host === hostname().toLowerCase() || addresses.includes(host);
  return isThisMachine && (url.port || '80') === (new URL(localUrl).port || '80');
}
