/** Sends commands to nodes through the workcell manager and reports the results with the nodes' own messages. */
import { ref, shallowRef } from 'vue';
import type { AdminCommandResponse } from '#api/managers/action.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import type { OutcomeState } from '#api/states.ts';
import { nodeCommandTexts as texts, type OutcomeCounts } from './nodeCommandTexts.ts';
import { performCommand } from './performCommand.ts';
import { useConfirmAddress } from './usePerformCommand.ts';
import { noPremise, evaluateDecision, type Premise } from './premise.ts';
import { describeRefusal, resultFromError, type CommandResult } from './commandResult.ts';
import { useManagerCommand } from './useCommand.ts';
import type { DialogRequest } from './useConfirmedCommand.ts';
import type { Connection } from '../transport/clients.ts';
import type { Impact, LabSnapshot } from '../guards/decision.ts';
import { alreadyReasons, nodeCommandTable, type CommandToAll, type NodeCommand } from '../guards/nodeCommandTable.ts';
import { decideNodeCommand } from '../guards/nodeGuards.ts';
import { nodeAppearance, nodeReason } from '../workcell/nodeState.ts';
import { useFastPolling } from '../workcell/fastPolling.ts';
import { useCommandLog } from './commandLog.ts';
import { useOutcomes } from './outcomes.ts';
import { useFreshLab, useNodes, useWorkcellState } from '../workcell/workcellQueries.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

type Client = Connection<typeof workcellApi>['commands'];

/** Interprets a node's response: a rejected command also has HTTP status 200, with `success: false`. */
function resultFromNode(command: NodeCommand, response: AdminCommandResponse): CommandResult {
  if (response.success) return { state: 'done', text: nodeCommandTable[command].done };
  return { state: 'failed', text: describeRefusal(response) };
}

/** Returns a function that describes a node's state briefly. */
export function useDescribeNode() {
  const nodes = useNodes();
  return (name: string): string => {
    const node = nodes.value[name];
    if (node === undefined) return texts.removed(name);
    return texts.currentState(name, nodeAppearance(node).label, nodeReason(node));
  };
}

/**
 * Returns a function that creates the premise of a node command: the command is available, and its impact is no worse
 * than `impacts`, if any were shown.
 */
export function useNodePremise() {
  const readLab = useFreshLab();
  return (name: string, command: NodeCommand, impacts: readonly Impact[] | null): Premise<LabSnapshot> => ({
    read: readLab,
    evaluate: (fresh) => evaluateDecision(decideNodeCommand(fresh, name, command), impacts),
  });
}

interface NodeCommandRequest extends Partial<DialogRequest> {
  readonly premise: Premise<LabSnapshot>;
}

export function useNodeCommand() {
  const { act, connection } = useManagerCommand(workcellApi);
  const describeNode = useDescribeNode();
  const nodes = useNodes();
  const pollFast = useFastPolling();
  return (
    node: string,
    command: NodeCommand,
    { onSend, ...request }: NodeCommandRequest,
  ): Promise<AdminCommandResponse | null> => {
    const { verb } = nodeCommandTable[command];
    return act({
      ...request,
      commandText: texts.commandText(verb, node),
      verb,
      target: { kind: 'node', id: nodes.value[node]?.info?.node_id ?? '', name: node },
      to: { name: 'node', params: { node } },
      run: () => {
        onSend?.();
        return connection().commands.sendCommand({ command, node });
      },
      interpretResponse: (response) => resultFromNode(command, response),
      describeState: () => describeNode(node),
      onAccepted: pollFast(() => stringifyExactJson(nodes.value[node]?.status)),
    });
  };
}

export interface NodeReport {
  readonly name: string;
  /** `pending`: not sent yet. */
  readonly state: OutcomeState | 'pending' | 'skipped';
  readonly text: string;
}

export function countOutcomes(command: CommandToAll, reports: readonly NodeReport[]): OutcomeCounts {
  const count = (state: NodeReport['state']) => reports.filter((report) => report.state === state).length;
  return {
    done: count('done'),
    failed: count('failed'),
    unclear: count('unclear'),
    skipped: count('skipped'),
    already: reports.filter(({ state, text }) => state === 'skipped' && text === alreadyReasons[command]).length,
  };
}

/**
 * The number of concurrent requests. A browser opens six connections to a server, and the page's own polling needs one.
 */
const concurrency = 5;

/**
 * Returns a function that sends a command to one of several nodes. It calls `setReport` with the node's report when
 * it starts and when it finishes.
 */
function useSendToOne(state: ReturnType<typeof useWorkcellState>, setReport: (report: NodeReport) => void) {
  const describeNode = useDescribeNode();
  const log = useCommandLog();
  return async (client: Client, name: string, nodeCommand: CommandToAll): Promise<void> => {
    setReport({ name, state: 'running', text: '' });
    const { verb } = nodeCommandTable[nodeCommand];
    const target = { kind: 'node', id: state.data.value?.nodes[name]?.info?.node_id ?? '', name } as const;
    try {
      const performed = await performCommand(
        {
          verb,
          manager: 'workcell',
          target,
          // All nodes were read and evaluated together, immediately before.
          premise: noPremise,
          run: () => client.sendCommand({ command: nodeCommand, node: name }),
        },
        () => true,
        (settled) =>
          log.recordCommand(
            { verb, target },
            texts.commandText(verb, name),
            settled,
            'error' in settled ? resultFromError(settled.error, '') : resultFromNode(nodeCommand, settled.response),
          ),
      );
      if (performed.sent) setReport({ name, ...resultFromNode(nodeCommand, performed.response) });
    } catch (error) {
      const result = resultFromError(error, '');
      if (result.state !== 'unclear') return setReport({ name, ...result });
      await state.refresh().catch(() => undefined); // A failed read has its own notice.
      setReport({ name, ...resultFromError(error, describeNode(name)) });
    }
  };
}

/**
 * Sends the same command to many nodes separately, because the manager's own broadcast ends at the first unreachable node
 * and doesn't report which nodes received it.
 */
export function useCommandToAll() {
  const { connection } = useManagerCommand(workcellApi);
  const state = useWorkcellState();
  const outcomes = useOutcomes();
  const pollFast = useFastPolling();
  const sendToNode = useSendToOne(state, putReport);
  const confirmAddress = useConfirmAddress();
  const command = ref<CommandToAll | null>(null);
  const reports = shallowRef<readonly NodeReport[]>([]);
  const isRunning = ref(false);

  function putReport(report: NodeReport): void {
    reports.value = reports.value.map((current) => (current.name === report.name ? report : current));
  }

  /** Resolves when every node has responded or failed; `skipped` nodes are listed in the report with their reason. */
  async function send(
    nodeCommand: CommandToAll,
    names: readonly string[],
    skipped: readonly { readonly name: string; readonly reason: string }[],
  ): Promise<void> {
    if (!(await confirmAddress('workcell'))) return;
    const reportOutcome = outcomes.begin(nodeCommandTable[nodeCommand].toAll.verb);
    const fastPollStarts = names.map((name) =>
      pollFast(() => stringifyExactJson(state.data.value?.nodes[name]?.status)),
    );
    command.value = nodeCommand;
    isRunning.value = true;
    reports.value = [
      ...names.map((name) => ({ name, state: 'pending' as const, text: '' })),
      ...skipped.map(({ name, reason }) => ({ name, state: 'skipped' as const, text: reason })),
    ];
    try {
      const client = connection().commands;
      const pendingNames = [...names];
      const worker = async (): Promise<void> => {
        for (let name = pendingNames.shift(); name !== undefined; name = pendingNames.shift())
          await sendToNode(client, name, nodeCommand);
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
    } catch (error) {
      // The manager no longer has an address: nothing was sent.
      for (const name of names) putReport({ name, ...resultFromError(error, '') });
    } finally {
      isRunning.value = false;
      for (const startFastPolling of fastPollStarts) startFastPolling();
      const counts = countOutcomes(nodeCommand, reports.value);
      const { failed, unclear } = counts;
      const text = texts.all.summary(nodeCommandTable[nodeCommand].toAll.outcomes, counts);
      reportOutcome(failed > 0 ? 'failed' : unclear > 0 ? 'unclear' : 'done', `${text}.`);
    }
  }

  function dismiss(): void {
    command.value = null;
    reports.value = [];
  }

  return { command, reports, isRunning, send, dismiss };
}
