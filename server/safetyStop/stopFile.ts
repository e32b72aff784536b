/** The state of the safety stop in a file, so that a restart of the service neither forgets nor revives a stop. */
import * as z from 'zod';
import { parseExactJson, stringifyExactJson } from '../../api/exactJson.ts';
import { labStop } from '../../api/safetyStop/labStop.ts';
import { knownNodes } from '../lab/knownNodes.ts';
import type { Log } from '../logging/log.ts';
import { StateFile } from '../storage/stateFile.ts';

const stopState = z.object({
  /** The last stop, in effect or not. */
  stop: z.nullable(labStop),
  isInEffect: z.boolean(),
  isAcknowledged: z.boolean(),
  /** The IDs of stops that ended: records in the event log do not revive them. */
  ended: z.array(z.string()),
  /** The nodes as last read, for a restart without the workcell manager. */
  nodes: z.nullable(knownNodes),
});
export type StopState = z.infer<typeof stopState>;

export const noStopState: StopState = { stop: null, isInEffect: false, isAcknowledged: false, ended: [], nodes: null };

export class StopFile {
  readonly #file: StateFile;

  constructor(path: string, log: Log) {
    this.#file = new StateFile(path, 'The safety stop', log, true);
  }

  /** Never rejects; a damaged file counts as empty. */
  async load(onState: (state: StopState) => void): Promise<void> {
    await this.#file.load((text) => {
      if (text !== null) onState(stopState.parse(parseExactJson(text)));
    });
  }

  /** Resolves when the last state is written, or could not be written. */
  get settled(): Promise<void> {
    return this.#file.settled;
  }

  save(state: StopState): void {
    this.#file.save(`${stringifyExactJson(state)}\n`);
  }
}
