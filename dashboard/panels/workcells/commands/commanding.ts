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
import { useCommandToAll, useNodeCommand } from '../../../managers/commands/nodeCommands.ts';
import {
  decideCommand,
  decideForAll,
  nodeNow,
  type CommandDecision,
  type CommandToAll,
  type NodeCommand,
  type NodeNow,
} from '../../../managers/guards/nodeGuards.ts';
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

function nodeIn({ nodes, workflows, isUnclear }: LabSnapshot, name: string): NodeNow | null {
  const node = nodes[name];
  return node === undefined ? null : nodeNow(name, node, workflows, isUnclear);
}
function nodesIn({ nodes, workflows, isUnclear }: LabSnapshot): readonly NodeNow[] {
  return Object.entries(nodes).map(([name, node]) => nodeNow(name, node, workflows, isUnclear));
}
function decideIn(lab: LabSnapshot, name: string, command: NodeCommand): CommandDecision {
  const place = nodeIn(lab, name);
  return place === null ? { allowed: false, why: texts.page.missing(name) } : decideCommand(command, place);
}

const sendingKey = (name: string, command: NodeCommand): string => `${command} ${name}`;

const key: InjectionKey<Commanding> = Symbol('commanding');

/** `onPosition`: where a node's position was asked for and isn't shown yet. */
export function provideCommanding(onPosition: (name: string) => void = () => undefined): Commanding {
  const route = useRoute();
  const state = useWorkcellState();
  const sendCommand = useNodeCommand();
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
  async function send(name: string, command: NodeCommand): Promise<void> {
    const one = sendingKey(name, command);
    sending.value = new Set([...sending.value, one]);
    const answer = await sendCommand(name, command).finally(() => {
      sending.value = new Set([...sending.value].filter((each) => each !== one));
    });
    if (command !== 'get_location' || answer === null) return;
    positions.value = { ...positions.value, [name]: answer.data ?? null };
    onPosition(name);
  }
  function press(name: string, command: NodeCommand): void {
    const decision = decide(name, command);
    if (!decision.allowed) return;
    if (decision.asks) asked.value = { name, command, hits: decision.hits, note: '' };
    else void send(name, command);
  }
  function ask(name: string, command: NodeCommand): void {
    const decision = decide(name, command);
    if (decision.allowed) asked.value = { name, command, hits: decision.hits, note: '' };
  }

  /** What was read is up to 12 s old while a person reads the question: it is read and decided again. */
  async function agree<What extends AskedWith>(
    what: ShallowRef<What | null>,
    judge: (fresh: LabSnapshot, agreed: What) => { readonly hits: readonly Hit[] } | string,
    perform: (fresh: LabSnapshot, agreed: What) => void,
  ): Promise<void> {
    const agreed = what.value;
    if (agreed === null || busy.value) return;
    busy.value = true;
    try {
      const fresh = await readLab();
      if (what.value !== agreed) return;
      const judged = judge(fresh, agreed);
      if (typeof judged === 'string') what.value = { ...agreed, note: notSentTexts.notSafe(judged) };
      else if (isWorse(agreed.hits, judged.hits))
        what.value = { ...agreed, hits: [...agreed.hits, ...judged.hits], note: notSentTexts.changed };
      else {
        what.value = null;
        perform(fresh, agreed);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (what.value === agreed) what.value = { ...agreed, note: notSentTexts.unread(reason) };
    } finally {
      busy.value = false;
    }
  }
  const confirm = () =>
    agree(
      asked,
      (fresh, { name, command }) => {
        const decision = decideIn(fresh, name, command);
        return decision.allowed ? decision : decision.why;
      },
      (_fresh, { name, command }) => void send(name, command),
    );

  const all = computed(() => nodesIn(lab.value));
  function askAll(command: CommandToAll): void {
    const hits = decideForAll(command, all.value).gets.flatMap((node) => node.hits);
    askedAll.value = { command, hits, note: '' };
  }
  const confirmAll = () =>
    agree(
      askedAll,
      (fresh, { command }) => {
        const { gets } = decideForAll(command, nodesIn(fresh));
        return gets.length === 0 ? allTexts.nobody : { hits: gets.flatMap((node) => node.hits) };
      },
      (fresh, { command }) => {
        const { gets, not } = decideForAll(command, nodesIn(fresh));
        const names = gets.map(({ name }) => name);
        void toAll.send(command, names, not);
      },
    );

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
