/** What the app keeps from one run to the next: preferences, and nodes for the safety stop. */
import { join } from 'node:path';
import type { Log } from '../server/logging/log.ts';
import { PreferencesFile } from './preferences/preferences.ts';
import { KnownNodesFile } from './safetyStop/knownNodes.ts';
import type { AppPaths } from './start/appPaths.ts';
import type { FolderProblem } from './start/folders.ts';

export class KeptState {
  readonly preferences: PreferencesFile;
  readonly nodes: KnownNodesFile;
  /** Files that could not be read. */
  problems: readonly FolderProblem[] = [];

  constructor({ configDir, preferencesFile }: AppPaths, log: Log) {
    this.preferences = new PreferencesFile(preferencesFile, log.scope('preferences'));
    this.nodes = new KnownNodesFile(join(configDir, 'nodes.json'), log.scope('nodes'));
  }

  /** Before anything is shown or started. Storage that does not respond is waited for a limited time only. Never rejects. */
  async load(): Promise<void> {
    const files = [
      { file: this.preferences, use: 'Preferences' },
      { file: this.nodes, use: 'Nodes for a safety stop without the service' },
    ];
    const found = await Promise.all(
      files.map(async ({ file, use }) => ({ path: file.path, use, reason: await file.load() })),
    );
    this.problems = found.flatMap(({ reason, ...file }) => (reason === null ? [] : [{ ...file, reason }]));
  }
}
