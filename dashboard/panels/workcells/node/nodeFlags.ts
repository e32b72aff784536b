/** Flags of a node's status as text. */
import type { Node, NodeStatus } from '#api/managers/node.ts';
import { managerErrorText } from '#dashboard/managers/errors/errorText.ts';
import { workcellTexts } from '../texts.ts';
import type { ErrorEntry } from '#api/client/wire.ts';

const texts = workcellTexts.flags;

const capabilityTexts: Readonly<Record<string, string>> = {
  get_info: 'what it is',
  get_state: 'its state',
  get_status: 'its status',
  send_action: 'actions',
  get_action_status: 'status of actions',
  get_action_result: 'results of actions',
  get_action_history: 'past actions',
  action_files: 'files of actions',
  send_admin_commands: 'commands',
  set_config: 'changes of its configuration',
  get_resources: 'its resources',
  get_log: 'its log',
  events: 'events',
  resources: 'resources',
};

/** Returns the set flags and the others, so that the list is complete. */
export function describeFlags(status: NodeStatus): {
  readonly set: readonly string[];
  readonly unset: readonly string[];
} {
  const running = (status.running_actions ?? []).length;
  const waits = status.waiting_for_config ?? [];
  const flags = [
    ['busy', status.busy],
    ['paused', status.paused],
    ['locked', status.locked],
    ['stopped', status.stopped],
    ['errored', status.errored],
    ['disconnected', status.disconnected === true],
    ['initializing', status.initializing],
  ] as const;
  const text = (flag: (typeof flags)[number][0]): string =>
    flag === 'busy' && running > 0 ? texts.running(running) : texts[flag][0];
  return {
    set: [
      texts.ready[status.ready ? 0 : 1],
      ...flags.flatMap(([flag, isSet]) => (isSet ? [text(flag)] : [])),
      ...(waits.length > 0 ? [texts.waitingForConfig(waits.join(', '))] : []),
    ],
    unset: flags.flatMap(([flag, isSet]) => (isSet ? [] : [texts[flag][1]])),
  };
}

/**
 * Returns the newest error of a node that is in error, and the other errors, newest first. The list survives every reset.
 */
export function splitErrors({ status }: Pick<Node, 'status'>): {
  readonly current: ErrorEntry | null;
  readonly past: readonly ErrorEntry[];
} {
  const all = (status?.errors ?? []).toReversed();
  const active = status !== null && (status.errored || status.disconnected === true);
  return active ? { current: all[0] ?? null, past: all.slice(1) } : { current: null, past: all };
}

export function formatError({ message, error_type: type }: ErrorEntry): string {
  const text = message ? managerErrorText(message).text : '';
  return [type, text].filter((part) => part !== null && part !== undefined && part !== '').join(': ');
}

/** Returns the supported and the unsupported capabilities in MADSci's order, without undeclared ones. */
export function describeCapabilities({ info }: Pick<Node, 'info'>): {
  readonly supported: readonly string[];
  readonly unsupported: readonly string[];
} {
  const capabilities = Object.entries(info?.capabilities ?? {}).filter(([, value]) => typeof value === 'boolean');
  const text = (isSupported: boolean) =>
    capabilities.flatMap(([name, value]) =>
      value === isSupported ? [capabilityTexts[name] ?? name.replaceAll('_', ' ')] : [],
    );
  return { supported: text(true), unsupported: text(false) };
}
