/** The records of a safety stop in the lab's audit log: the press, its results, its release, and its acknowledgement. */
import { stopCommands, type CommandFields, type StoppedNode } from '../commandRecord.ts';
import { safetyStopTexts as texts } from './safetyStopTexts.ts';
import { effectsToUndo, toStoppedNode, type StopRow } from './stopReport.ts';
import type { StopDependencies } from './stopDependencies.ts';

type StopFields = Pick<CommandFields, 'result' | 'stop_id' | 'nodes'> & { readonly reason?: string };

/** Times are in ms since the epoch; `stopId` is the ID of the event that records the press. */
export class StopRecord {
  readonly #dependencies: Pick<StopDependencies, 'record' | 'now'>;
  /** The nodes of the last recorded result, as JSON. */
  #lastRecord = '';

  constructor(dependencies: Pick<StopDependencies, 'record' | 'now'>) {
    this.#dependencies = dependencies;
  }

  /** @returns the ID of the event, which later records of the stop refer to */
  recordPress(rows: readonly StopRow[], pressedAt: number): string {
    this.#lastRecord = '';
    return this.#record(
      stopCommands.stop,
      pressedAt,
      { result: 'sent', nodes: rows.map(toStoppedNode) },
      texts.what.stop,
    );
  }

  /** Records the current results if they differ from the last record. */
  recordResult(stopId: string, rows: readonly StopRow[], pressedAt: number): void {
    const nodes = rows.map(toStoppedNode);
    const text = JSON.stringify(nodes);
    if (text === this.#lastRecord) return;
    this.#lastRecord = text;
    const confirmed = nodes.filter(({ result }) => result === 'confirmed').length;
    const result = confirmed === nodes.length ? 'done' : 'unclear';
    const reason = texts.confirmedCount(confirmed, nodes.length);
    const fields = { result, reason, stop_id: stopId, nodes } as const;
    this.#record(stopCommands.result, pressedAt, fields, texts.what.result, this.#dependencies.now());
  }

  /** @param isIncomplete whether a node was not released, or it is unknown whether it was */
  recordRelease(stopId: string, rows: readonly StopRow[], beganAt: number, isIncomplete: boolean): void {
    const nodes = rows.filter((row) => row.releasedAt !== null || effectsToUndo(row).length > 0).map(toStoppedNode);
    const fields = { result: isIncomplete ? 'failed' : 'done', stop_id: stopId, nodes } as const;
    this.#record(stopCommands.release, beganAt, fields, texts.what.release);
  }

  /**
   * Records that the stop was pressed again before the release was complete. The earlier stop stays open: the record has
   * the result `failed`.
   */
  recordSuperseded(stopId: string, rows: readonly StopRow[], beganAt: number): void {
    const fields = { result: 'failed', reason: texts.releaseSuperseded, stop_id: stopId } as const;
    this.#record(stopCommands.release, beganAt, { ...fields, nodes: rows.map(toStoppedNode) }, texts.what.release);
  }

  recordAcknowledgement(stopId: string, nodes: readonly StoppedNode[]): void {
    const fields = { result: 'done' as const, stop_id: stopId, nodes: [...nodes] };
    this.#record(stopCommands.acknowledge, this.#dependencies.now(), fields, texts.what.acknowledge);
  }

  #record(command: string, beganAt: number, fields: StopFields, commandText: string, sentAt = beganAt): string {
    const target = { kind: 'lab', id: null, name: texts.allNodes } as const;
    const times = {
      sent_at: new Date(sentAt).toISOString(),
      duration_ms: Math.max(0, this.#dependencies.now() - beganAt),
    };
    return this.#dependencies.record({ reason: '', ...fields, command, target, ...times }, commandText);
  }
}
