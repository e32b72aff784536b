/** Searches for announced labs and reads their states, while a page requests them. */
import { clock } from '../../api/time/clock.ts';
import type { FleetLab } from '../../api/lab/fleet.ts';
import { Fleet } from '../fleet/fleet.ts';
import type { Log } from '../logging/log.ts';
import { loadSettings } from '../settings/load/load.ts';
import type { SettingsInputs } from '../settings/schema/types.ts';
import { LabSearch, type AnnouncedLab } from './labSearch.ts';
import { localNetworks } from './mdnsNetworks.ts';

/** An announced lab with its state as last read from its lab manager. */
interface NearbyLab extends AnnouncedLab, Pick<FleetLab, 'state' | 'reason' | 'managers'> {}

export interface NearbyLabs {
  /** Whether the search is off: by `LAB_MDNS`, or because the settings have errors. */
  readonly isOff: boolean;
  readonly labs: readonly NearbyLab[];
}

/** The search stops after this time without a call of `read`, in ms. */
const idleTimeoutMs = 15_000;

export class NearbyLabsReader {
  readonly #search: LabSearch;
  readonly #fleet: Fleet;
  readonly #networks: typeof localNetworks;
  #isOn: Promise<boolean> | null = null;
  #idleTimer: NodeJS.Timeout | null = null;

  /** @param networks the networks of this machine */
  constructor(log: Log, networks = localNetworks) {
    this.#search = new LabSearch(log, networks);
    this.#fleet = new Fleet(log, 0);
    this.#networks = networks;
  }

  /**
   * The labs found so far; the first call starts the search.
   * @param ownPort the port of this machine's lab manager, which is left out; `null` if it does not run
   */
  async read(inputs: SettingsInputs, ownPort: number | null): Promise<NearbyLabs> {
    if (this.#idleTimer !== null) clock.clearTimeout(this.#idleTimer);
    this.#idleTimer = clock.setTimeout(() => void this.stop(), idleTimeoutMs);
    this.#isOn ??= this.#startIfEnabled(inputs);
    if (!(await this.#isOn)) return { isOff: true, labs: [] };
    const announced = this.#search.labs.filter(({ url }) => !this.#isOwn(new URL(url), ownPort));
    this.#fleet.configure(announced.map(({ url }) => url));
    const rows = this.#fleet.rows();
    const labs = announced.flatMap((lab, index) => {
      const row = rows[index];
      return row === undefined ? [] : [{ ...lab, state: row.state, reason: row.reason, managers: row.managers }];
    });
    return { isOff: false, labs };
  }

  async stop(): Promise<void> {
    if (this.#idleTimer !== null) clock.clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    this.#isOn = null;
    this.#fleet.stop();
    await this.#search.stop();
  }

  async #startIfEnabled(inputs: SettingsInputs): Promise<boolean> {
    const loaded = await loadSettings(inputs);
    const isOn = loaded.ok && loaded.settings.mdns;
    // It may have been stopped meanwhile.
    if (isOn && this.#idleTimer !== null) this.#search.start();
    return isOn;
  }

  #isOwn({ hostname, port }: URL, ownPort: number | null): boolean {
    return Number(port || '80') === ownPort && this.#networks().some(({ address }) => address === hostname);
  }
}
