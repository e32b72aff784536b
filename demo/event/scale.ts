/** Events by the hundred thousand, for trying the dashboard at the size of a lab that has run for a year. */
import type { Event } from '../../api/managers/event.ts';
import type { OwnershipInfo } from '../../api/client/wire.ts';
import { naiveText } from '../base/clock.ts';
import type { LogEntry } from '../base/parts.ts';
import type { Random } from '../base/random.ts';
import { logEvent } from './newEvent.ts';

const nodes = ['liquidhandler_1', 'liquidhandler_2', 'robotarm_1', 'platereader_1', 'advanced_node'] as const;

const lines = [
  { level: 'info', message: 'Action started', eventType: 'action_start' },
  { level: 'info', message: 'Action completed', eventType: 'action_complete' },
  { level: 'debug', message: 'Status updated', eventType: 'node_status_update' },
  { level: 'warning', message: 'Retrying a request', eventType: 'node_status_update' },
  { level: 'error', message: 'Action failed', eventType: 'action_failed' },
] as const;

/** So many log lines of nodes, one every ten seconds up to the given time; sources and texts are shared. */
export function* manyEvents(count: number, random: Random, until: number): Iterable<Event> {
  const sources = nodes.map((): OwnershipInfo => ({ node_id: random.ulid() }));
  for (let index = count; index > 0; index--) {
    const ms = until - index * 10_000;
    const node = random.int(0, nodes.length - 1);
    const line = random.chance(0.97) ? lines[index % 3] : lines[3 + (index % 2)];
    const entry: LogEntry = {
      ...(line ?? lines[0]),
      component: nodes[node] ?? 'node',
      source: sources[node] ?? {},
    };
    yield logEvent(entry, random.ulid(ms), naiveText(ms));
  }
}
