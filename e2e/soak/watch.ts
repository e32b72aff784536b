/** Reads pages of the dashboard and the managers' responses at the same time, and collects contradictions. */
import type { Page, Request } from 'playwright';
import { workcellState } from '../../api/managers/workcell.ts';
import { workflows } from '../../api/managers/workflow.ts';
import { nodeAppearances } from '../../api/states.ts';
import { workcellTexts } from '../../dashboard/panels/workcells/texts.ts';
import { workflowStateTexts } from '../../dashboard/managers/workcell/workflowState.ts';
import { pollingSchedule } from '../../dashboard/managers/transport/poll/pollingSchedule.ts';
import {
  describeWorkflow,
  describeNodes,
  possibleStates,
  toWorkflowState,
  type ManagerStates,
  type WorkflowState,
} from './managerStates.ts';
import { notStopped, type LoadRecord } from './record.ts';
import { readPage, type PageContent } from './sentences.ts';
import { ExpectedStates, type ResponseTimes, type Contradiction } from './truth.ts';

/** The longest polling interval for workflows and nodes, plus time to read and render. */
const allowedMs = Math.max(pollingSchedule.workcellState, pollingSchedule.activeWorkflows) + 2000;

/** `Cancelling: arm is still finishing step 1` */
const finishingText = /^(?<verb>Pausing|Cancelling): (?<node>.+) is still finishing step (?<step>\d+)$/;

/** The response time without extra allowance, and how long a slow one is remembered, in ms. */
const usualMs = 500;
const rememberedMs = 15_000;

export interface WatchedPage {
  readonly name: string;
  readonly page: Page;
}

/** The page that was read, the time of reading, and the maximum age of its texts in ms. */
interface ReadContext {
  readonly page: string;
  readonly at: number;
  readonly maxAgeMs: number;
}
interface Observation extends Omit<ReadContext, 'page'> {
  readonly name: string;
  readonly read: PageContent;
}

export class Watch {
  readonly #startedAt: number;
  readonly #load: LoadRecord;
  readonly #truth = new ExpectedStates();
  readonly #last = new Map<string, WorkflowState>();
  readonly contradictions: Contradiction[] = [];
  comparedTexts = 0;
  slowestMs = 0;
  slowestReadMs = 0;
  #delays: readonly { readonly at: number; readonly ms: number }[] = [];
  #reads: readonly Observation[] = [];
  readonly #open = new Map<Request, number>();
  #responseDurations: readonly { readonly at: number; readonly ms: number }[] = [];

  /** @param startedAt when the load began, in ms since the epoch @param load the changes that the load itself makes */
  constructor(startedAt: number, load: LoadRecord) {
    this.#startedAt = startedAt;
    this.#load = load;
  }

  /**
   * Records the manager's responses to a page, which count as true even if the recorder itself never receives them.
   * Their duration extends the permitted age of texts, because the page is not responsible for it.
   */
  follow({ page }: WatchedPage): void {
    const read = /\/(state|workflows\/active)$/;
    page.on('request', (request) => read.test(request.url()) && this.#open.set(request, Date.now()));
    const onFinished = (request: Request): void => {
      const requestedAt = this.#open.get(request);
      this.#open.delete(request);
      if (requestedAt === undefined) return;
      const response = { at: Date.now(), ms: Date.now() - requestedAt };
      this.#responseDurations = [
        ...this.#responseDurations.filter(({ at }) => at > Date.now() - rememberedMs),
        response,
      ];
      this.slowestMs = Math.max(this.slowestMs, response.ms);
    };
    page.on('requestfinished', (request) => {
      const requestedAt = this.#open.get(request);
      onFinished(request);
      if (requestedAt !== undefined) void this.#recordPageResponse(request, { requestedAt, receivedAt: Date.now() });
    });
    page.on('requestfailed', onFinished);
  }

  async #recordPageResponse(request: Request, times: ResponseTimes): Promise<void> {
    // The page can be closed meanwhile; other responses are ignored.
    const body: unknown = await request
      .response()
      .then((response) => response?.json())
      .catch(() => null);
    const state = workcellState.safeParse(body);
    const active = workflows.safeParse(body);
    this.#record(
      {
        workflows: active.success ? Object.values(active.data).map(toWorkflowState) : [],
        nodes: state.success ? describeNodes(state.data.nodes) : {},
      },
      times,
    );
  }

  get #maxAgeMs(): number {
    const now = Date.now();
    const recent = this.#responseDurations.filter(({ at }) => at > now - rememberedMs).map(({ ms }) => ms);
    const slowest = Math.max(0, ...recent, ...[...this.#open.values()].map((requestedAt) => now - requestedAt));
    const delay = Math.max(0, ...this.#delays.map(({ ms }) => ms));
    // Displayed data was requested one response time before it arrived, and stays until the next response has arrived.
    return allowedMs + 2 * Math.max(0, slowest - usualMs) + Math.max(0, delay - usualMs);
  }

  /** Records a response of the manager to the recorder itself. */
  recordResponse(states: ManagerStates, times: ResponseTimes): void {
    this.#record(states, times);
    // Only a response requested after the text was read shows whether the text was newer than the earlier responses.
    const due = this.#reads.filter(({ at }) => at < times.requestedAt);
    this.#reads = this.#reads.filter(({ at }) => at >= times.requestedAt);
    for (const read of due) this.#judge(read);
  }

  #record({ workflows: activeWorkflows, nodes }: ManagerStates, times: ResponseTimes): void {
    for (const workflow of activeWorkflows) {
      const previous = this.#last.get(workflow.id);
      const between = previous === undefined ? [] : possibleStates(previous, workflow);
      this.#truth.record(`workflow ${workflow.id}`, describeWorkflow(workflow), times, between);
      this.#last.set(workflow.id, workflow);
    }
    for (const [name, word] of Object.entries(nodes)) this.#truth.record(`node ${name}`, word, times);
  }

  async readTexts({ name, page }: WatchedPage): Promise<void> {
    const at = Date.now();
    // The displayed text was drawn before it was read.
    const read = await readPage(page);
    // A page without CPU time can neither be read nor render its data.
    const now = Date.now();
    this.#delays = [...this.#delays.filter((delay) => delay.at > now - rememberedMs), { at: now, ms: now - at }];
    this.slowestReadMs = Math.max(this.slowestReadMs, now - at);
    const allowed = this.#maxAgeMs;
    this.#reads = [...this.#reads, { name, at, maxAgeMs: read.isStale ? Number.POSITIVE_INFINITY : allowed, read }];
  }

  #judge({ name, at, maxAgeMs: allowed, read }: Observation): void {
    const context: ReadContext = { page: name, at, maxAgeMs: allowed };
    for (const { subject, text } of read.states) this.#judgeState(subject, text, context);
    for (const text of read.waitTexts) this.#judgeWait(text, context);
    for (const work of read.nodeWork) this.#judgeWork(work, context);
    if (read.step !== null) this.#judgeStep(read.step, context);
    if (allowed !== Number.POSITIVE_INFINITY) this.#judgeLoadChanges(read, context);
  }

  /** Checks the load's own changes against its record. */
  #judgeLoadChanges({ stopBanner: stop, stateStarts }: PageContent, context: ReadContext): void {
    const correctState = this.#load.judgeBanner(stop, context.at);
    if (correctState !== null) this.#recordSentence('lab', stop ?? 'no banner', context, correctState);
    for (const { node, text, since } of stateStarts) {
      // A node that did not confirm a stop has a different line, with the time of the stop.
      if (text.startsWith(notStopped) || text.startsWith('Not known to have stopped')) continue;
      this.comparedTexts += 1;
      const correctStart = this.#load.judgeSince(node, since === null ? null : Date.parse(since), context.at);
      if (correctStart !== null)
        this.#recordSentence(`node ${node}`, `${text}, since ${since ?? 'no time'}`, context, correctStart);
    }
  }

  #judgeState(subject: string, text: string, { page, at, maxAgeMs: allowed }: ReadContext): void {
    this.comparedTexts += 1;
    if (text === notStopped) {
      const correctState = this.#load.judgeNotStopped(subject.replace('node ', ''), at);
      if (correctState !== null) this.#recordSentence(subject, text, { page, at, maxAgeMs: allowed }, correctState);
      return;
    }
    const finishing = finishingText.exec(text)?.groups;
    const claim =
      finishing === undefined ? text : this.#judgeFinishing(subject, text, finishing, { page, at, maxAgeMs: allowed });
    const contradiction = this.#truth.judge({ page, subject, text: claim, at }, allowed);
    if (contradiction !== null) this.contradictions.push({ ...contradiction, text });
  }

  /**
   * Checks a workflow whose node is still executing: the node must have been busy. Returns the manager's text for the
   * workflow.
   */
  #judgeFinishing(
    subject: string,
    text: string,
    { verb, node = '', step }: Partial<Record<string, string>>,
    context: ReadContext,
  ) {
    const busy = (word: string) => word.toLowerCase().includes(nodeAppearances.busy.label.toLowerCase());
    if (!this.#truth.wasTrue(`node ${node}`, busy, context.at, context.maxAgeMs))
      this.#recordSentence(`node ${node}`, text, context, this.#truth.currentText(`node ${node}`));
    const total = this.#last.get(subject.replace('workflow ', ''))?.total ?? 0;
    return workflowStateTexts[verb === 'Pausing' ? 'paused' : 'cancelled'](Number(step), total);
  }

  #recordSentence(subject: string, text: string, { page, at }: ReadContext, truth: string | null): void {
    this.contradictions.push({ page, subject, text, at, kind: 'never so', truth: truth ?? '' });
  }

  /** Checks a reason that names a node's state: the node must have had that state. */
  #judgeWait(text: string, context: ReadContext): void {
    this.comparedTexts += 1;
    const [, occupied, failed] = /waiting for ([\w.-]+),|([\w.-]+) (?:in error|unreachable)/.exec(text) ?? [];
    const node = occupied ?? failed ?? '';
    const acceptedLabels = text.includes(' in error')
      ? [nodeAppearances.errored.label, nodeAppearances.disconnected.label]
      : text.includes(' unreachable')
        ? [nodeAppearances.disconnected.label]
        : text.includes(', busy with ') || text.includes(', which is busy')
          ? [nodeAppearances.busy.label, nodeAppearances.errored.label]
          : null;
    if (acceptedLabels === null || this.#truth.currentText(`node ${node}`) === null) return;
    if (
      !this.#truth.wasTrue(
        `node ${node}`,
        (word) => acceptedLabels.includes(word.split(', ')[0] ?? ''),
        context.at,
        context.maxAgeMs,
      )
    )
      this.#recordSentence(`node ${node}`, text, context, this.#truth.currentText(`node ${node}`));
  }

  /**
   * Checks the workflow whose step a node executes: it must have been at that step. The nodes receive no other actions
   * meanwhile.
   */
  #judgeWork({ node, text, workflow }: PageContent['nodeWork'][number], context: ReadContext): void {
    this.comparedTexts += 1;
    if (text.includes(workcellTexts.ownAction))
      this.#recordSentence(
        `node ${node}`,
        text,
        context,
        `every action is a workflow’s; ${this.#truth.describeTruth(`node ${node}`, context.at)}`,
      );
    const [, step, total] = /(\d+) of (\d+)/.exec(text) ?? [];
    if (workflow === '' || step === undefined || this.#truth.currentText(`workflow ${workflow}`) === null) return;
    const isAtStep = (message: string) => message.includes(`${step} of ${total}`);
    if (!this.#truth.wasTrue(`workflow ${workflow}`, isAtStep, context.at, context.maxAgeMs))
      this.#recordSentence(`workflow ${workflow}`, text, context, this.#truth.currentText(`workflow ${workflow}`));
  }

  #judgeStep({ state, durationText }: NonNullable<PageContent['step']>, context: ReadContext): void {
    this.comparedTexts += 1;
    if (state === 'Waits to start' && durationText !== '–')
      this.#recordSentence(
        'current step',
        `${state} · ${durationText}`,
        context,
        'what waits to start has no duration',
      );
    if (parseLength(durationText) > Date.now() - this.#startedAt + usualMs)
      this.#recordSentence('current step', durationText, context, 'nothing runs longer than the load');
  }
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the length in ms of a duration as pages show it: `6 min 21 s`; 0 for other texts. */
function parseLength(text: string): number {
  return [...text.matchAll(/([\d.]+) (ms|s|min|h|d)\b/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (unitMs[unit] ?? 0),
    0,
  );
}
