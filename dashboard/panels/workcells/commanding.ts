/**
 * Commands to nodes, for everything on the page: whether any may be sent now, asking first where that is due, and what a
 * node answered with. One for a page, given to its components.
 */
import { computed, inject, provide, ref, shallowRef, type ComputedRef, type InjectionKey, type Ref } from 'vue';
import { useRoute } from 'vue-router';
import { workcellTexts as texts } from '../../app/texts/workcells.ts';
import { useCommandToAll, useNodeCommand } from '../../managers/nodeCommands.ts';
import {
  decideCommand,
  nodeNow,
  type CommandDecision,
  type CommandToAll,
  type NodeCommand,
  type NodeNow,
} from '../../managers/nodeGuards.ts';
import { useCurrentWorkflows, useNodes, useWorkcellState } from '../../managers/workcell.ts';

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
  /** What is asked at the moment. */
  readonly asked: Ref<{ readonly name: string; readonly command: NodeCommand } | null>;
  readonly confirm: () => void;
  readonly askedAll: Ref<CommandToAll | null>;
  readonly toAll: ReturnType<typeof useCommandToAll>;
  /** Positions that nodes told, by name, newest last. */
  readonly positions: Ref<Readonly<Record<string, unknown>>>;
}

const key: InjectionKey<Commanding> = Symbol('commanding');

/** `onPosition`: where a node's position was asked for and isn't shown yet. */
export function provideCommanding(onPosition: (name: string) => void = () => undefined): Commanding {
  const route = useRoute();
  const state = useWorkcellState();
  const nodes = useNodes();
  const workflows = useCurrentWorkflows();
  const sendCommand = useNodeCommand();
  const asked: Commanding['asked'] = ref(null);
  const askedAll: Commanding['askedAll'] = ref(null);
  const positions: Commanding['positions'] = shallowRef({});

  const hidden = computed(() => 'kiosk' in route.query);
  const blocked = computed(() => {
    if (state.stale.value) return texts.blocked(state.who);
    return state.data.value === undefined ? texts.blockedFirst : null;
  });

  function now(name: string): NodeNow | null {
    const node = nodes.value[name];
    return node === undefined ? null : nodeNow(name, node, workflows.value);
  }
  function decide(name: string, command: NodeCommand): CommandDecision {
    if (blocked.value !== null) return { allowed: false, why: blocked.value };
    const place = now(name);
    return place === null ? { allowed: false, why: texts.page.missing(name) } : decideCommand(command, place);
  }
  async function send(name: string, command: NodeCommand): Promise<void> {
    const answer = await sendCommand(name, command);
    if (command !== 'get_location' || answer === null) return;
    positions.value = { ...positions.value, [name]: answer.data ?? null };
    onPosition(name);
  }
  function press(name: string, command: NodeCommand): void {
    const decision = decide(name, command);
    if (!decision.allowed) return;
    if (decision.asks) asked.value = { name, command };
    else void send(name, command);
  }
  /** What was asked may have come to nothing while somebody read it: it is decided again. */
  function confirm(): void {
    const what = asked.value;
    if (what === null || !decide(what.name, what.command).allowed) return;
    asked.value = null;
    void send(what.name, what.command);
  }

  const all = computed(() => Object.entries(nodes.value).map(([name, node]) => nodeNow(name, node, workflows.value)));
  const toAll = useCommandToAll();
  const commanding = { hidden, blocked, now, all, decide, press, asked, confirm, askedAll, toAll, positions };
  provide(key, commanding);
  return commanding;
}

export function useCommanding(): Commanding {
  const commanding = inject(key);
  if (commanding === undefined) throw new Error('No page gave its commands');
  return commanding;
}
