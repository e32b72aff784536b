/** The records of a safety stop in the lab's event log: the press, its results, its release, its acknowledgement. */
import { stopCommands, type CommandFields, type CommandTarget } from '../commandRecord.ts';
import type { LabStop } from './labStop.ts';
import { safetyStopTexts as texts } from './safetyStopTexts.ts';

export interface StopRecord {
  readonly fields: CommandFields;
  readonly title: string;
}

type Recorded = Pick<LabStop, 'id' | 'at' | 'nodes'>;

const allNodes: CommandTarget = { kind: 'lab', id: null, name: 'all nodes' };
type Fields = Pick<CommandFields, 'result' | 'reason' | 'nodes' | 'stop_id'>;

/** The time of the press, in ms since the epoch. */
const pressedAt = ({ at }: Recorded, now: number): number => (at === null ? now : Date.parse(at));

/** @param now ms since the epoch */
export function pressRecord(stop: Recorded, now: number): StopRecord {
  const fields: Fields = { result: 'sent', reason: '', nodes: [...stop.nodes] };
  return create(stopCommands.stop, pressedAt(stop, now), now, fields, 'Safety stop', pressedAt(stop, now));
}

export function resultRecord(stop: Recorded, now: number): StopRecord {
  const confirmed = stop.nodes.filter(({ result }) => result === 'confirmed').length;
  const fields: Fields = {
    result: confirmed === stop.nodes.length ? 'done' : 'unclear',
    reason: `${confirmed} of ${stop.nodes.length} nodes confirmed`,
    nodes: [...stop.nodes],
    ...stopId(stop),
  };
  return create(stopCommands.result, pressedAt(stop, now), now, fields, 'Safety stop: result', now);
}

/** @param failure why the stop is still in effect; `null` if every node is released */
export function releaseRecord(stop: Recorded, beganAt: number, now: number, failure: string | null): StopRecord {
  const nodes = stop.nodes.filter(({ did, released_at: releasedAt }) => releasedAt !== undefined || did.length > 0);
  const fields: Fields = {
    result: failure === null ? 'done' : 'failed',
    reason: failure ?? '',
    nodes,
    ...stopId(stop),
  };
  return create(stopCommands.release, beganAt, now, fields, 'Release', beganAt);
}

export function acknowledgementRecord(stop: Recorded, now: number): StopRecord {
  const fields: Fields = { result: 'done', reason: '', nodes: [...stop.nodes], ...stopId(stop) };
  return create(stopCommands.acknowledge, now, now, fields, texts.what.acknowledge, now);
}

const stopId = ({ id }: Recorded) => (id === null ? {} : { stop_id: id });

function create(
  command: string,
  beganAt: number,
  endedAt: number,
  fields: Fields,
  title: string,
  sentAt: number,
): StopRecord {
  const times = { sent_at: new Date(sentAt).toISOString(), duration_ms: Math.max(0, endedAt - beganAt) };
  return { fields: { ...fields, command, target: allNodes, ...times }, title };
}
