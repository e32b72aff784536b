/**
 * Whether the lab is stopped: derived from what everybody can read, the recorded safety stops and the nodes' own flags, so that it is
 * the same in every browser, in the tray and on the wall screen, and survives restarts. Pure.
 */
import * as z from 'zod/mini';
import { stopCommands, stoppedNode, type RecordedCommand, type StoppedNode } from './commandRecord.ts';

/** A safety stop that is neither released nor acknowledged. Nodes that are not confirmed come first. */
export const labStop = z.object({
  /** Of its event; `null` where only the nodes' flags show it. */
  id: z.nullable(z.string()),
  /** ISO 8601 UTC. */
  at: z.nullable(z.string()),
  machine: z.nullable(z.string()),
  application: z.nullable(z.string()),
  nodes: z.array(stoppedNode),
});
export type LabStop = z.infer<typeof labStop>;

/** As much of a node as decides whether a stop still holds it. */
export interface FlaggedNode {
  readonly name: string;
  readonly stopped: boolean;
  readonly locked: boolean;
  readonly paused: boolean;
}

export interface FlagReading {
  readonly workcell: string;
  readonly nodes: readonly FlaggedNode[];
  /** ms since the epoch, by the same clock as `sent_at`. */
  readonly at: number;
}

/** The workcell manager reads its nodes every 2 s, and the watch reads it every 15 s; clocks differ by seconds. */
const flagDelayMs = 30_000;

/**
 * @param records of safety stops, in any order
 * @param flags the nodes' flags as read last; `null` while they are unknown
 */
export function currentStop(records: readonly RecordedCommand[], flags: FlagReading | null): LabStop | null {
  const sorted = records.toSorted((a, b) => (a.record.sent_at < b.record.sent_at ? 1 : -1));
  const last = sorted.find(({ record }) => record.command === stopCommands.stop);
  if (last !== undefined) {
    const of = sorted.filter(({ record }) => record.stop_id === last.id);
    const isClosed = of.some(
      ({ record: { command, result } }) =>
        command === stopCommands.acknowledge || (command === stopCommands.release && result === 'done'),
    );
    const nodes =
      of.find(({ record }) => record.command === stopCommands.result)?.record.nodes ?? last.record.nodes ?? [];
    const { sent_at: at, machine, application } = last.record;
    if (!isClosed && !isUndone(nodes, Date.parse(at), flags))
      return { id: last.id, at, machine, application, nodes: unconfirmedFirst(nodes) };
  }
  const acknowledged = new Set(
    sorted
      .filter(({ record }) => record.command === stopCommands.acknowledge && record.stop_id === last?.id)
      .flatMap(({ record }) => (record.nodes ?? []).map(({ name }) => name)),
  );
  const stopped = (flags?.nodes ?? []).filter((node) => node.stopped && !acknowledged.has(node.name));
  if (flags === null || stopped.length === 0) return null;
  const nodes = stopped.map(({ name }): StoppedNode => ({
    name,
    workcell: flags.workcell,
    result: 'confirmed',
    reason: '',
    did: ['safety_stop'],
    before: [],
  }));
  return { id: null, at: null, machine: null, application: null, nodes };
}

/** Whether somebody has reset every node that the stop had reached, by another program or at the instrument. */
function isUndone(nodes: readonly StoppedNode[], at: number, flags: FlagReading | null): boolean {
  if (flags === null || flags.at < at + flagDelayMs) return false;
  const reached = nodes.filter(({ did }) => did.length > 0);
  return (
    reached.length > 0 &&
    reached.every(({ name, workcell, did, before }) => {
      const now = workcell === flags.workcell ? flags.nodes.find((node) => node.name === name) : undefined;
      if (now === undefined) return false;
      const isHeld = (command: string, flag: boolean) => flag && did.includes(command) && !before.includes(command);
      return !(isHeld('safety_stop', now.stopped) || isHeld('lock', now.locked) || isHeld('pause', now.paused));
    })
  );
}

/** Whether the node is known to have stopped. */
export function isConfirmed({ result }: Pick<StoppedNode, 'result'>): boolean {
  return result === 'confirmed';
}

export function unconfirmedFirst<Node extends Pick<StoppedNode, 'result' | 'name'>>(nodes: readonly Node[]): Node[] {
  return nodes.toSorted(
    (a, b) => Number(isConfirmed(a)) - Number(isConfirmed(b)) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}

/** `robotarm_1 and robotarm_2`, at most `max` of them. */
export function listNames(names: readonly string[], max = 5): string {
  const shown = names.slice(0, max).join(', ');
  return names.length > max ? `${shown} and ${names.length - max} more` : shown;
}

/**
 * The state in one sentence, the same everywhere: `Safety stop at 14:02 by lab-pc: 2 of 4 nodes not confirmed: arm_1, arm_2.`
 * @param time the moment of the stop as it is shown
 */
export function stopSentence({ at, machine, nodes }: LabStop, time: (ms: number) => string): string {
  const open = unconfirmedFirst(nodes).filter((node) => !isConfirmed(node));
  const total = nodes.length === 1 ? 'one node' : `${nodes.length} nodes`;
  if (at === null) return `Stopped: ${listNames(nodes.map(({ name }) => name))}.`;
  const by = machine === null ? '' : ` by ${machine}`;
  const result =
    nodes.length === 0
      ? 'results are not known yet'
      : open.length === 0
        ? `${total} confirmed`
        : `${open.length} of ${total} not confirmed: ${listNames(open.map(({ name }) => name))}`;
  return `Safety stop at ${time(Date.parse(at))}${by}: ${result}.`;
}
