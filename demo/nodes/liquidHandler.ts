/** A liquid handler: tips that run out, a deck, protocols from files. */
import {
  declareAction,
  numberArgument,
  textArgument,
  type ActionCall,
  type ActionEnd,
  type NodeKind,
} from './definition.ts';
import { moveResource, incrementCounter, deck, failAction, seconds } from './instrument.ts';

/** Uses tips. A rack with too few tips is replaced, and the action fails. */
function useTips(call: ActionCall, tips: number): ActionEnd | null {
  const tipsLeft = call.state['tips_left'];
  if (typeof tipsLeft !== 'number' || tipsLeft < tips) {
    call.state['tips_left'] = 96;
    return failAction('out of tips', 'TipError');
  }
  call.state['tips_left'] = tipsLeft - tips;
  return null;
}

const transferLiquid = declareAction({
  name: 'transfer_liquid',
  description: 'Move liquid from one well to another.',
  args: {
    volume: { type: 'float', description: 'µL' },
    source_well: { type: 'str', default: 'A1' },
    target_well: { type: 'str', default: 'B1' },
    mix_after: { type: 'bool', default: null },
  },
  locations: { plate: 'Where the plate is' },
  json: 'dict',
  durationMs: () => seconds(6),
  end: (call) => {
    const volume = numberArgument(call, 'volume', 0);
    if (volume > 1000) return failAction(`Volume ${volume} is more than a tip holds`, 'ValueError');
    return useTips(call, 1) ?? { status: 'succeeded', json: { dispensed: call.random.normal(volume, volume * 0.01) } };
  },
});

/** @param commands the supported ones, in which the two liquid handlers differ @param tips the number of tips in the rack */
export function liquidHandler(commands: readonly string[], tips: number): NodeKind {
  return {
    moduleName: 'demo_liquid_handler',
    moduleVersion: '1.2.0',
    description: 'A liquid handler with eight channels',
    nodeType: 'device',
    commands,
    config: { channels: 8, deck_temperature: 22.5, simulate_errors: false },
    state: { tips_left: tips, protocols_run: 0, deck_temperature: 22.5 },
    ...deck('liquid_handler_deck', ['deck_1', 'deck_2', 'deck_3']),
    actions: [
      declareAction({
        name: 'run_command',
        description: 'Run a single command.',
        args: { command: { type: 'str', description: 'The command, in words' } },
        json: 'dict',
        durationMs: () => seconds(2),
        end: (call) => ({ status: 'succeeded', json: { command: textArgument(call, 'command', ''), done: true } }),
      }),
      transferLiquid,
      declareAction({
        name: 'deck_transfer',
        description: 'Carry a plate with the gripper, on the deck or next to it.',
        locations: { source_location: 'Where to take it', target_location: 'Where to put it' },
        durationMs: () => seconds(15),
        end: (call) => moveResource(call, 'source_location', 'target_location') ?? { status: 'succeeded' },
      }),
      declareAction({
        name: 'run_protocol',
        description: 'Run a protocol file.',
        files: { protocol: { type: 'file', description: 'The protocol' } },
        args: { parameters: { type: 'dict', default: null } },
        json: 'dict',
        durationMs: () => seconds(20),
        end: (call) => {
          const text = new TextDecoder().decode(call.files['protocol']?.bytes);
          incrementCounter(call, 'protocols_run');
          return useTips(call, 8) ?? { status: 'succeeded', json: { lines: text.split('\n').length, tips_used: 8 } };
        },
      }),
    ],
  };
}
