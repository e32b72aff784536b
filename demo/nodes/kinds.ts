/** The demo lab's instruments. */
import { everyArgument } from './everyArgument.ts';
import { liquidHandler } from './liquidHandler.ts';
import type { NodeKind } from './definition.ts';
import { plateReader } from './plateReader.ts';
import { robotArm } from './robotArm.ts';

/** The lab's five nodes, by name. */
export const demoNodes: readonly (readonly [name: string, kind: NodeKind])[] = [
  ['liquidhandler_1', liquidHandler(['cancel', 'pause', 'resume', 'safety_stop'], 80)],
  ['liquidhandler_2', liquidHandler([], 34)],
  ['robotarm_1', robotArm],
  ['platereader_1', plateReader],
  ['advanced_example_node', everyArgument],
];
