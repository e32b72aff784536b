/** Which nodes of the demo lab carry plates, and how dear that is: the arm is cheap, a liquid handler's gripper isn't. */
import type { TransferCapabilities, TransferTemplate } from './transfers.ts';

const arm = (cost: number): TransferTemplate => ({
  node: 'robotarm_1',
  action: 'transfer',
  source: 'source',
  target: 'target',
  cost,
});

const deck = (node: string): TransferTemplate => ({
  node,
  action: 'deck_transfer',
  source: 'source_location',
  target: 'target_location',
  cost: 2,
});

/** Into the plate reader the arm goes slowly; out of the storage rack it has a taught path. */
export const labCapabilities: TransferCapabilities = {
  templates: [arm(1), deck('liquidhandler_1'), deck('liquidhandler_2')],
  sources: { storage_rack: [arm(0.8)] },
  targets: { 'platereader_1.plate_carriage': [arm(1.2)] },
};
