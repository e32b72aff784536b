/** Whether a node is ready, and MADSci's words for why not. */

interface StatusFacts {
  readonly busy: boolean;
  readonly paused: boolean;
  readonly locked: boolean;
  readonly stopped: boolean;
  readonly errored: boolean;
  readonly disconnected: boolean;
  readonly initializing: boolean;
  readonly waiting_for_config: readonly string[];
}

/** `stopped` makes a node not ready without being named. */
export function describeStatus(facts: StatusFacts): { readonly ready: boolean; readonly description: string } {
  const config = facts.waiting_for_config;
  const reasons = [
    facts.busy ? 'Node is busy' : '',
    facts.locked ? 'Node is locked' : '',
    facts.errored ? 'Node is in an error state' : '',
    facts.disconnected ? 'Node is disconnected' : '',
    facts.initializing ? 'Node is initializing' : '',
    facts.paused ? 'Node is paused' : '',
    config.length > 0 ? `Node is missing configuration values: {${config.map((key) => `'${key}'`).join(', ')}}` : '',
  ].filter((reason) => reason !== '');
  return {
    ready: reasons.length === 0 && !facts.stopped,
    description: reasons.length === 0 ? 'Node is ready' : reasons.join('; '),
  };
}
