/** General texts about node commands; the texts of each command are in `guards/nodeCommandTable.ts`. */
const count = (total: number, singular: string, plural: string) =>
  total === 1 ? `1 ${singular}` : `${total} ${plural}`;
const nodes = (total: number) => count(total, 'node', 'nodes');

/** The number of nodes per outcome. */
export interface OutcomeCounts {
  readonly done: number;
  readonly failed: number;
  readonly unclear: number;
  readonly skipped: number;
  /** Those of the skipped nodes that were in the state after the command. */
  readonly already: number;
}

export const nodeCommandTexts = {
  sending: 'Sending…',
  /** For commands that need a confirmation. */
  pending: (verb: string) => `${verb}…`,
  title: (verb: string, node: string) => `${verb}: ${node}?`,
  button: (verb: string, node: string) => `${verb} ${node}`,
  commandText: (verb: string, node: string) => `${verb}, ${node}`,
  menu: (node: string) => `Commands for ${node}`,
  unsupportedCommands: (list: string) => `Not supported: ${list}.`,
  none: 'No commands available.',
  missing: (node: string) => `The workcell has no node ${node}.`,

  neverReached: (node: string) =>
    `${node} was never reached, so its commands are unknown, and the workcell manager can’t send it any.`,
  silaNode: (node: string) =>
    `${node} is a SiLA 2 node: MADSci sends it actions, but no commands. The safety stop is sent through the workcell manager, which may reject it.`,
  unreachable: (node: string) => `${node} can’t be reached: the workcell manager rejects every command except reset.`,
  stateUnknown: (node: string) => `The state of ${node} is currently unknown.`,
  commandUnsupported: (node: string, command: string) => `${node} does not support ${command}.`,

  onStep: (step: number, total: number, name: string, workflow: string) =>
    ` on step ${step} of ${total}, ${name}, of “${workflow}”`,
  onUnclear: ' on something that has just changed and is being checked',
  onItself: ' on an action of no active workflow',
  waiting: (total: number) => `${count(total, 'workflow', 'workflows')} in the queue will wait for it.`,

  currentState: (node: string, label: string, reason: string) =>
    `${node} is shown as ${label.toLowerCase()}${reason === '' ? '' : ` (${reason})`}`,
  removed: (node: string) => `${node} is no longer a node of the workcell`,

  position: 'Position',
  describePosition: (node: string) => `Position of ${node}`,

  all: {
    menu: 'More',
    menuButton: 'More commands for all nodes',
    menuTitle: 'Commands for all nodes',
    title: (verb: string) => `${verb}?`,
    noNodeAccepts: 'No node can accept this now.',
    recipients: (total: number) => `The command is sent to ${nodes(total)} at once:`,
    excluded: (total: number) => `It is not sent to ${nodes(total)}:`,
    button: (verb: string, total: number) => `${verb}: ${nodes(total)}`,
    pending: 'Not sent yet',
    progress: (verb: string, done: number, total: number) => `${verb}: sent to ${done} of ${total}`,
    summary: ([done, skipped]: readonly [string, string], counts: OutcomeCounts) =>
      [
        `${counts.done} of ${nodes(counts.done + counts.failed + counts.unclear + counts.skipped)} ${done}`,
        ...(counts.failed === 0 ? [] : [`${counts.failed} failed`]),
        ...(counts.unclear === 0 ? [] : [`${counts.unclear} not confirmed`]),
        ...(counts.already === 0 ? [] : [`${counts.already} ${counts.already === 1 ? 'was' : 'were'} ${done} already`]),
        ...(counts.skipped === counts.already ? [] : [`${counts.skipped - counts.already} ${skipped}`]),
      ].join(', '),
    describeReport: (verb: string) => `Results of “${verb}”`,
    dismiss: 'Dismiss',
  },
} as const;
