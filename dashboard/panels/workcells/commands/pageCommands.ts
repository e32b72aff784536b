/** Node commands of a page: their availability, confirmation and responses. Provided once per page to its components. */
import { computed, inject, provide, shallowRef, type ComputedRef, type InjectionKey, type Ref } from 'vue';
import { useKiosk } from '#dashboard/components/page/pageQuery.ts';
import { nodeCommandTexts } from '#dashboard/managers/commands/nodeCommandTexts.ts';
import { workcellTexts as texts } from '../texts.ts';
import { exceedsConfirmed, type Impact, type LabSnapshot } from '#dashboard/managers/guards/decision.ts';
import { samePremise, type Premise } from '#dashboard/managers/commands/premise.ts';
import {
  useConfirmedCommand,
  type ConfirmedCommand,
  type DialogRequest,
} from '#dashboard/managers/commands/useConfirmedCommand.ts';
import { useCommandToAll, useNodeCommand, useNodePremise } from '#dashboard/managers/commands/nodeCommands.ts';
import { nodeCommandTable, type CommandToAll, type NodeCommand } from '#dashboard/managers/guards/nodeCommandTable.ts';
import {
  decideForAll,
  decideNodeCommand,
  type CommandDecision,
  type BulkDecision,
} from '#dashboard/managers/guards/nodeGuards.ts';
import { findNodeContext, listNodeContexts, type NodeContext } from '#dashboard/managers/guards/nodeContext.ts';
import { useFreshLab, useLabSnapshot, useWorkcellState } from '#dashboard/managers/workcell/workcellQueries.ts';

interface NodeCommandRequest {
  readonly name: string;
  readonly command: NodeCommand;
}

type Dialog<Subject extends object> = Pick<ConfirmedCommand<Subject>, 'pending' | 'busy' | 'current'>;

interface PageCommands {
  /** True in kiosk mode, which has no commands. */
  readonly kiosk: ComputedRef<boolean>;
  /** The reason why no command may be sent now; `null` if commands are available. */
  readonly blocked: ComputedRef<string | null>;
  /** Returns the current state of a node, on which commands depend; `null` if there is no such node. */
  readonly getContext: (name: string) => NodeContext | null;
  /** The current state of every node. */
  readonly all: ComputedRef<readonly NodeContext[]>;
  readonly decide: (name: string, command: NodeCommand) => CommandDecision;
  /** Sends the command, or opens its dialog if it needs confirmation. */
  readonly press: (name: string, command: NodeCommand) => void;
  /** Whether the command is pending. */
  readonly isSending: (name: string, command: NodeCommand) => boolean;
  /** The dialog of a command to one node. */
  readonly single: Dialog<NodeCommandRequest>;
  readonly requestConfirmation: (name: string, command: NodeCommand) => void;
  readonly confirm: () => Promise<void>;
  /** The dialog of a command to all nodes. */
  readonly bulk: Dialog<{ readonly command: CommandToAll }>;
  readonly requestBulkConfirmation: (command: CommandToAll) => void;
  readonly confirmAll: () => Promise<void>;
  readonly toAll: ReturnType<typeof useCommandToAll>;
  /** The latest reported positions, by node name. */
  readonly positions: Ref<Readonly<Record<string, unknown>>>;
}

const commandKey = (name: string, command: NodeCommand): string => `${command} ${name}`;

const key: InjectionKey<PageCommands> = Symbol('pageCommands');

function useBlocked(): PageCommands['blocked'] {
  const state = useWorkcellState();
  return computed(() => {
    if (state.stale.value) return texts.blocked(state.source);
    return state.data.value === undefined ? 'The state of the workcell is not known yet.' : null;
  });
}

function useSending() {
  const sending = shallowRef<ReadonlySet<string>>(new Set());
  return {
    isSending: (name: string, command: NodeCommand): boolean => sending.value.has(commandKey(name, command)),
    begin: (name: string, command: NodeCommand): void => {
      sending.value = new Set([...sending.value, commandKey(name, command)]);
    },
    end: (name: string, command: NodeCommand): void => {
      sending.value = new Set([...sending.value].filter((sendingKey) => sendingKey !== commandKey(name, command)));
    },
  };
}

/** All nodes, and the dialog of a command to them. */
function useCommandsToAll(
  lab: ReturnType<typeof useLabSnapshot>,
): Pick<PageCommands, 'all' | 'bulk' | 'requestBulkConfirmation' | 'confirmAll' | 'toAll'> {
  const all = computed(() => listNodeContexts(lab.value));
  const readLab = useFreshLab();
  const bulk = useConfirmedCommand<{ readonly command: CommandToAll }>();
  const toAll = useCommandToAll();
  const listImpacts = ({ recipients }: BulkDecision): readonly Impact[] => recipients.flatMap(({ impacts }) => impacts);
  function requestBulkConfirmation(command: CommandToAll): void {
    bulk.open({ command }, listImpacts(decideForAll(command, all.value)));
  }
  async function confirmAll(): Promise<void> {
    const confirmed = bulk.pending.value;
    if (confirmed === null) return;
    const { command } = confirmed;
    const premise: Premise<LabSnapshot> = {
      read: readLab,
      evaluate: (fresh) => {
        const plan = decideForAll(command, listNodeContexts(fresh));
        if (plan.recipients.length === 0) return { kind: 'refused', reason: nodeCommandTexts.all.noNodeAccepts };
        const exceeding = plan.recipients.filter(({ impacts }) => exceedsConfirmed(confirmed.impacts, impacts));
        if (exceeding.length === 0) return samePremise;
        const differences = exceeding.flatMap(({ name, effects }) => effects.map((effect) => `${name}: ${effect}`));
        return { kind: 'changed', differences, impacts: listImpacts(plan) };
      },
    };
    await bulk.confirmLocalAction(nodeCommandTable[command].toAll.verb, premise, (_confirmed, fresh) => {
      const { recipients, skipped } = decideForAll(command, fresh === null ? all.value : listNodeContexts(fresh));
      const names = recipients.map(({ name }) => name);
      void toAll.send(command, names, skipped);
    });
  }
  return { all, bulk, requestBulkConfirmation, confirmAll, toAll };
}

/** `onPosition` is called after a node has reported its position. */
export function providePageCommands(onPosition: (name: string) => void = () => undefined): PageCommands {
  const sendCommand = useNodeCommand();
  const createPremise = useNodePremise();
  const lab = useLabSnapshot();
  const single = useConfirmedCommand<NodeCommandRequest>(({ name, command }) => decide(name, command));
  const positions: PageCommands['positions'] = shallowRef({});
  const { isSending, begin, end } = useSending();

  const kiosk = useKiosk();
  const blocked = useBlocked();

  function decide(name: string, command: NodeCommand): CommandDecision {
    if (blocked.value !== null) return { allowed: false, reason: blocked.value };
    return decideNodeCommand(lab.value, name, command);
  }
  async function send(
    { name, command }: NodeCommandRequest,
    impacts: readonly Impact[],
    { onSend, ...request }: DialogRequest,
  ): Promise<void> {
    const response = await sendCommand(name, command, {
      ...request,
      premise: createPremise(name, command, impacts),
      onSend: () => {
        onSend();
        begin(name, command);
      },
    }).finally(() => end(name, command));
    if (command !== 'get_location' || response === null) return;
    positions.value = { ...positions.value, [name]: response.data ?? null };
    onPosition(name);
  }
  function requestConfirmation(name: string, command: NodeCommand): void {
    single.requestConfirmation(nodeCommandTexts.commandText(nodeCommandTable[command].verb, name), { name, command });
  }
  function press(name: string, command: NodeCommand): void {
    if (isSending(name, command)) return;
    const decision = decide(name, command);
    if (!decision.allowed || decision.needsConfirmation) return requestConfirmation(name, command);
    begin(name, command);
    const { impacts } = decision;
    void single.send({ name, command }, impacts, (request) => send({ name, command }, impacts, request));
  }
  async function confirm(): Promise<void> {
    await single.confirm((confirmed, request) => send(confirmed, confirmed.impacts, request));
  }

  const pageCommands: PageCommands = {
    kiosk,
    blocked,
    getContext: (name) => findNodeContext(lab.value, name),
    decide,
    press,
    isSending,
    positions,
    single,
    requestConfirmation,
    confirm,
    ...useCommandsToAll(lab),
  };
  provide(key, pageCommands);
  return pageCommands;
}

export function usePageCommands(): PageCommands {
  const pageCommands = inject(key);
  if (pageCommands === undefined) throw new Error('No page provides node commands');
  return pageCommands;
}
