/**
 * Commands to nodes, for everything on the page: whether any may be sent now, asking first where that is due, and what a
 * node answered with. One for a page, given to its components.
 */
import {
  computed,
  inject,
  provide,
  ref,
  shallowRef,
  type ComputedRef,
  type InjectionKey,
  type Ref,
  type ShallowRef,
} from 'vue';
import { useRoute } from 'vue-router';
import { nodeCommandTexts } from '../../../managers/commands/nodeCommandTexts.ts';
import { workcellTexts as texts } from '../texts.ts';
import { notSentTexts } from '../../../managers/commands/texts.ts';
import { isWorse, type Hit } from '../../../managers/guards/consequence.ts';
import type { LabSnapshot } from '../../../managers/guards/decision.ts';
import { useOutcomes } from '../../../managers/commands/outcomes.ts';
import { useCommandQuestion } from '../../../managers/commands/commandQuestion.ts';
import { checkPremise } from '../../../managers/commands/performCommand.ts';
import { changedBy, type Premise } from '../../../managers/commands/premise.ts';
import { useCommandToAll, useNodeCommand, useNodePremise } from '../../../managers/commands/nodeCommands.ts';
import { nodeCommandTable, type CommandToAll, type NodeCommand } from '../../../managers/guards/nodeCommandTable.ts';
import { decideForAll, decideIn, type CommandDecision } from '../../../managers/guards/nodeGuards.ts';
import { nodeIn, nodesIn, type NodeNow } from '../../../managers/guards/nodeNow.ts';
import { useFreshLab, useLabSnapshot, useWorkcellState } from '../../../managers/workcell/workcellQueries.ts';

interface AskedWith {
  /** What has been said of it: what is agreed to. */
  readonly hits: readonly Hit[];
  /** What changed since it was asked. */
  readonly note: string;
}
export interface Asked extends AskedWith {
  readonly name: string;
  readonly command: NodeCommand;
}
export interface AskedAll extends AskedWith {
  readonly command: CommandToAll;
}

export interface Commanding {
  /** On a wall screen nothing can be done. */
  readonly hidden: ComputedRef<boolean>;
  /** Why nothing may be sent now; `null` when something may. */
  readonly blocked: ComputedRef<string | null>;
  readonly now: (name: string) => NodeNow | null;
  readonly all: ComputedRef<readonly NodeNow[]>;
  readonly decide: (name: string, command: NodeCommand) => CommandDecision;
  /** Sends the command, or asks first. */
  readonly press: (name: string, command: NodeCommand) => void;
  /** Whether the command is on its way to the node. */
  readonly isSending: (name: string, command: NodeCommand) => boolean;
  /** What is asked at the moment. */
  readonly asked: ShallowRef<Asked | null>;
  readonly ask: (name: string, command: NodeCommand) => void;
  readonly confirm: () => Promise<void>;
  readonly askedAll: ShallowRef<AskedAll | null>;
  readonly askAll: (command: CommandToAll) => void;
  readonly confirmAll: () => Promise<void>;
  /** The state is being read again, for what was confirmed. */
  readonly busy: Ref<boolean>;
  readonly toAll: ReturnType<typeof useCommandToAll>;
  /** Positions that nodes told, by name, newest last. */
  readonly positions: Ref<Readonly<Record<string, unknown>>>;
}

const allTexts = nodeCommandTexts.all;

const sendingKey = (name: string, command: NodeCommand): string => `${command} ${name}`;

const key: InjectionKey<Commanding> = Symbol('commanding');

/** `onPosition`: where a node's position was asked for and isn't shown yet. */
export function provideCommanding(onPosition: (name: string) => void = () => undefined): Commanding {
  const route = useRoute();
  const state = useWorkcellState();
  const sendCommand = useNodeCommand();
  const premiseOf = useNodePremise();
  const question = useCommandQuestion();
  const outcomes = useOutcomes();
  const lab = useLabSnapshot();
  const readLab = useFreshLab();
  const asked: Commanding['asked'] = shallowRef(null);
  const askedAll: Commanding['askedAll'] = shallowRef(null);
  const busy = ref(false);
  const positions: Commanding['positions'] = shallowRef({});
  const sending = shallowRef<ReadonlySet<string>>(new Set());

  const hidden = computed(() => 'kiosk' in route.query);
  const blocked = computed(() => {
    if (state.stale.value) return texts.blocked(state.who);
    return state.data.value === undefined ? texts.blockedFirst : null;
  });

  function now(name: string): NodeNow | null {
    return nodeIn(lab.value, name);
  }
  function decide(name: string, command: NodeCommand): CommandDecision {
    if (blocked.value !== null) return { allowed: false, why: blocked.value };
    return decideIn(lab.value, name, command);
  }
  /** `agreed`: the dialog that it was confirmed in. */
  async function send(name: string, command: NodeCommand, hits: readonly Hit[], agreed: Asked | null): Promise<void> {
    const one = sendingKey(name, command);
    const begin = (): void => void (sending.value = new Set([...sending.value, one]));
    // In a dialog it is the dialog that is busy while the state is read.
    if (agreed === null) begin();
    const answer = await sendCommand(name, command, {
      premise: premiseOf(name, command, hits),
      // The dialog shows what it would do now.
      reask: (doubt, common) => {
        if (doubt.is === 'unread') return common();
        const decision = decide(name, command);
        const worse = decision.allowed ? decision.hits : [];
        asked.value = { name, command, hits: [...hits, ...worse], note: notSentTexts.changed };
        return false;
      },
      isWanted: () => asked.value === agreed,
      onSend: () => {
        asked.value = null;
        busy.value = false;
        begin();
      },
    }).finally(() => {
      sending.value = new Set([...sending.value].filter((each) => each !== one));
    });
    if (command !== 'get_location' || answer === null) return;
    positions.value = { ...positions.value, [name]: answer.data ?? null };
    onPosition(name);
  }
  /** It was offered a moment ago. */
  function refuse(name: string, command: NodeCommand, why: string): void {
    const what = nodeCommandTexts.what(nodeCommandTable[command].verb, name);
    outcomes.begin(what)('failed', notSentTexts.refused(why));
  }
  function press(name: string, command: NodeCommand): void {
    const decision = decide(name, command);
    if (!decision.allowed) refuse(name, command, decision.why);
    else if (decision.asks) asked.value = { name, command, hits: decision.hits, note: '' };
    else void send(name, command, decision.hits, asked.value);
  }
  function ask(name: string, command: NodeCommand): void {
    const decision = decide(name, command);
    if (decision.allowed) asked.value = { name, command, hits: decision.hits, note: '' };
    else refuse(name, command, decision.why);
  }

  async function confirm(): Promise<void> {
    const agreed = asked.value;
    if (agreed === null || busy.value) return;
    busy.value = true;
    await send(agreed.name, agreed.command, agreed.hits, agreed);
    busy.value = false;
    // It was refused: the outcome gives the reason.
    if (asked.value === agreed) asked.value = null;
  }

  const all = computed(() => nodesIn(lab.value));
  function askAll(command: CommandToAll): void {
    const hits = decideForAll(command, all.value).gets.flatMap((node) => node.hits);
    askedAll.value = { command, hits, note: '' };
  }
  async function confirmAll(): Promise<void> {
    const agreed = askedAll.value;
    if (agreed === null || busy.value) return;
    const { command } = agreed;
    const premise: Premise<LabSnapshot> = {
      read: readLab,
      judge: (fresh) => {
        const { gets } = decideForAll(command, nodesIn(fresh));
        if (gets.length === 0) return { is: 'refused', why: allTexts.nobody };
        const worse = gets.filter(({ hits }) => isWorse(agreed.hits, hits));
        return changedBy(worse.flatMap(({ name, effects }) => effects.map((effect) => `${name}: ${effect}`)));
      },
    };
    busy.value = true;
    const checked = await checkPremise(
      premise,
      (doubt) => {
        if (doubt.is === 'unread') return question.ask(nodeCommandTable[command].toAll.verb, doubt);
        const hits = decideForAll(command, all.value).gets.flatMap((node) => node.hits);
        askedAll.value = { ...agreed, hits: [...agreed.hits, ...hits], note: notSentTexts.changed };
        return false;
      },
      () => askedAll.value === agreed,
    );
    busy.value = false;
    if (checked.go) {
      askedAll.value = null;
      const { gets, not } = decideForAll(command, checked.now === null ? all.value : nodesIn(checked.now));
      void toAll.send(
        command,
        gets.map(({ name }) => name),
        not,
      );
    } else if (checked.refusal !== null) askedAll.value = { ...agreed, note: notSentTexts.notSafe(checked.refusal) };
  }

  const toAll = useCommandToAll();
  const questions = { asked, ask, confirm, askedAll, askAll, confirmAll, busy };
  const isSending: Commanding['isSending'] = (name, command) => sending.value.has(sendingKey(name, command));
  const commanding: Commanding = {
    hidden,
    blocked,
    now,
    all,
    decide,
    press,
    isSending,
    positions,
    toAll,
    ...questions,
  };
  provide(key, commanding);
  return commanding;
}

export function useCommanding(): Commanding {
  const commanding = inject(key);
  if (commanding === undefined) throw new Error('No page gave its commands');
  return commanding;
}
