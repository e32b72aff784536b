/** The ID of the lab manager according to the settings: configured, from the ID registry, or new at each start. */
import { basename, join, resolve } from 'node:path';
import { errorText } from '../../api/errorText.ts';
import type { IdentityReport } from '../../api/lab/settings.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import type { Log } from '../logging/log.ts';
import { findMadsciDirectory } from '../settings/load/sources.ts';
import { expandHome } from '../settings/parse/discovery.ts';
import type { LabSettings, EffectiveSetting, Origin, SettingsInputs } from '../settings/schema/types.ts';
import { StableIdentity } from './stableIdentity.ts';

interface LoadedSettings {
  readonly settings: LabSettings;
  readonly effective: readonly EffectiveSetting[];
}

/**
 * MADSci 0.8.1's path of the registry for programs started here: `MADSCI_REGISTRY_PATH`, else the lab's `.madsci` folder,
 * else that of the home directory.
 */
export async function findRegistryPath(inputs: SettingsInputs): Promise<string> {
  const configured = inputs.env['MADSCI_REGISTRY_PATH'];
  if (configured) return resolve(inputs.cwd ?? inputs.homeDir, expandHome(configured, inputs.homeDir));
  return join(await findMadsciDirectory(inputs), 'registry.json');
}

export interface LabManagerIdentityOptions {
  readonly inputs: SettingsInputs;
  readonly log: Log;
  readonly follow?: string;
  readonly demo?: boolean;
  /** The settings that were loaded last. */
  readonly loaded: { readonly value: LoadedSettings | null };
}

export class LabManagerIdentity {
  readonly #inputs: SettingsInputs;
  readonly #log: Log;
  readonly #isComponent: boolean;
  readonly #loaded: LabManagerIdentityOptions['loaded'];
  #stable: StableIdentity | null = null;
  #path = '';
  /** The registration that was started, as JSON. */
  #startedRegistration = 'nothing';
  /** Serialises changes and the shutdown; no other work waits for them. */
  readonly #queue = new TaskQueue();

  constructor({ inputs, log, follow, demo = false, loaded }: LabManagerIdentityOptions) {
    this.#loaded = loaded;
    this.#inputs = inputs;
    this.#log = log.scope('identity');
    // A simulated or followed lab is not a component of this machine's lab.
    this.#isComponent = follow === undefined && !demo;
  }

  /** Applies settings; the identity is resolved in the background. */
  configure({ settings, effective }: LoadedSettings): void {
    const { enableRegistryResolution, managerName: name, registryLockTimeout: lockTimeoutSeconds } = settings;
    const isConfigured = effective.some(
      ({ name: settingName, origin }) => settingName === 'manager_id' && origin.source !== 'generated',
    );
    const registration =
      isConfigured || !enableRegistryResolution || !this.#isComponent ? null : { name, lockTimeoutSeconds };
    if (this.#startedRegistration === JSON.stringify(registration)) return;
    this.#startedRegistration = JSON.stringify(registration);
    const generatedId = settings.managerId;
    this.#enqueue(async () => {
      await this.#stable?.stop();
      this.#stable = null;
      if (registration === null || this.#startedRegistration !== JSON.stringify(registration)) return;
      this.#path = await findRegistryPath(this.#inputs);
      this.#stable = new StableIdentity({ registryPath: this.#path, ...registration, generatedId, log: this.#log });
      this.#stable.start();
    });
  }

  /** Releases the ID for another process. */
  async stop(): Promise<void> {
    this.#startedRegistration = 'nothing';
    this.#enqueue(async () => {
      await this.#stable?.stop();
      this.#stable = null;
    });
    await this.#queue.settled();
  }

  /** `undefined` if the settings do not use an ID from the registry. */
  get report(): IdentityReport | undefined {
    return this.#stable?.current.report;
  }

  /** The settings in effect with the ID granted by the registry. */
  get effective(): readonly EffectiveSetting[] {
    const settings = this.#loaded.value?.effective ?? [];
    const identity = this.#stable?.current;
    if (!identity?.isFromRegistry) return settings;
    const { id, report } = identity;
    const origin: Origin = {
      source: 'registry',
      name: report.name,
      file: basename(this.#path),
      path: this.#path,
      line: null,
    };
    return settings.map((setting) => (setting.name === 'manager_id' ? { ...setting, value: id, origin } : setting));
  }

  #enqueue(step: () => Promise<void>): void {
    this.#queue.run(step).catch((error: unknown) => {
      this.#log.error(`The identity could not be resolved: ${errorText(error)}`);
    });
  }
}
