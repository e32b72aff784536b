/** What the app keeps from one run to the next: preferences, nodes for the safety stop, records of commands not sent yet. */
import { join } from 'node:path';
import { hostClockOf, type LabStatus } from '../api/lab/lab.ts';
import type { Log } from '../server/logging/log.ts';
import { PreferencesFile } from './preferences/preferences.ts';
import { CommandLog } from './safetyStop/commandLog.ts';
import { KnownNodesFile } from './safetyStop/knownNodes.ts';
import type { AppPaths } from './start/appPaths.ts';
import type { FolderProblem } from './start/folders.ts';

export class KeptState {
  readonly preferences: PreferencesFile;
  readonly nodes: KnownNodesFile;
  readonly commandLog: CommandLog;
  /** Files that could not be read. */
  problems: readonly FolderProblem[] = [];

  constructor({ configDir, preferencesFile }: AppPaths, log: Log, lab: () => LabStatus | null) {
    this.preferences = new PreferencesFile(preferencesFile, log.scope('preferences'));
    this.nodes = new KnownNodesFile(join(configDir, 'nodes.json'), log.scope('nodes'));
    this.commandLog = new CommandLog({
      path: join(configDir, 'commands.json'),
      eventManager: () => lab()?.managers.find(({ manager }) => manager === 'event')?.url ?? null,
      clock: () => hostClockOf(lab(), 'event'),
      log: log.scope('commands'),
    });
  }

  /** Before anything is shown or started. Storage that does not respond is waited for a limited time only. Never rejects. */
  async load(): Promise<void> {
    const files = [
      { file: this.preferences, use: 'Preferences' },
      { file: this.nodes, use: 'Nodes for a safety stop without the service' },
      { file: this.commandLog, use: 'Records of commands not sent yet' },
    ];
    const found = await Promise.all(
      files.map(async ({ file, use }) => ({ path: file.path, use, reason: await file.load() })),
    );
    this.problems = found.flatMap(({ reason, ...file }) => (reason === null ? [] : [{ ...file, reason }]));
  }
}
