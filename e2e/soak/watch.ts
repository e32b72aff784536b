/** Watches pages of the dashboard beside the managers' own answers, and collects what contradicts them. */
import type { Page } from 'playwright';
import { nodeLooks } from '../../api/states.ts';
import { workcellTexts } from '../../dashboard/panels/workcells/texts.ts';
import { workflowsTexts } from '../../dashboard/panels/workflows/texts.ts';
import { pollingSchedule } from '../../dashboard/managers/transport/poll/pollingSchedule.ts';
import { answerWords, passed, type Answers, type WorkflowAnswer } from './answers.ts';
import { readPage, type Read } from './sentences.ts';
import { Truth, type Contradiction } from './truth.ts';

/** The longest interval of what the pages read of workflows and nodes, and what reading and drawing may take besides. */
const allowedMs = Math.max(pollingSchedule.workcellState, pollingSchedule.activeWorkflows) + 2000;

/** What an answer may take without more time being given for it, and how long a slow one counts, in ms. */
const usualMs = 500;
const rememberedMs = 15_000;

export interface Watched {
  readonly name: string;
  readonly page: Page;
}

export class Watch {
  readonly #truth = new Truth();
  readonly #last = new Map<string, WorkflowAnswer>();
  readonly #graceMs: number;
  readonly contradictions: Contradiction[] = [];
  sentences = 0;
  slowestMs = 0;
  #answers: readonly { readonly at: number; readonly ms: number }[] = [];

  /** @param graceMs more than the pages' own delay, where what is watched can't be read at once */
  constructor(graceMs = 0) {
    this.#graceMs = graceMs;
  }

  /** Follows how long the manager's answers take: on a busy machine that is no fault of the page. */
  follow({ page }: Watched): void {
    page.on('requestfinished', (request) => {
      if (!/\/(state|workflows\/active)$/.test(request.url())) return;
      this.#answers = [
        ...this.#answers.filter(({ at }) => at > Date.now() - rememberedMs),
        { at: Date.now(), ms: request.timing().responseEnd },
      ];
      this.slowestMs = Math.max(this.slowestMs, request.timing().responseEnd);
    });
  }

  get #allowed(): number {
    const slowest = Math.max(
      0,
      ...this.#answers.filter(({ at }) => at > Date.now() - rememberedMs).map(({ ms }) => ms),
    );
    return allowedMs + this.#graceMs + Math.max(0, slowest - usualMs);
  }

  /** Notes an answer, or what would be answered, at `at` in ms. */
  note({ workflows, nodes }: Answers, at: number): void {
    for (const workflow of workflows) {
      const before = this.#last.get(workflow.id);
      this.#truth.note(
        `workflow ${workflow.id}`,
        answerWords(workflow),
        at,
        before === undefined ? [] : passed(before, workflow),
      );
      this.#last.set(workflow.id, workflow);
    }
    for (const [name, word] of Object.entries(nodes)) this.#truth.note(`node ${name}`, word, at);
  }

  async look({ name, page }: Watched): Promise<void> {
    const before = Date.now();
    const read = await readPage(page);
    // What stands there was drawn at some time while it was read.
    const at = before;
    for (const { about, words } of read.states) this.#take({ page: name, about, words, at });
    for (const words of read.waits) this.#judgeWait(name, words, at);
    for (const work of read.works) this.#judgeWork(name, work, at);
    if (read.step !== null) this.#judgeStep(name, read.step, at);
  }

  #take(sentence: Parameters<Truth['judge']>[0]): void {
    this.sentences += 1;
    const found = this.#truth.judge(sentence, this.#allowed);
    if (found !== null) this.contradictions.push(found);
  }

  #say(page: string, about: string, words: string, at: number, truth: string): void {
    this.contradictions.push({ page, about, words, at, kind: 'never so', truth });
  }

  /** A reason that names a node's state: the node must have been so. */
  #judgeWait(page: string, words: string, at: number): void {
    this.sentences += 1;
    const [, node = ''] = /waits for ([\w.-]+),/.exec(words) ?? [];
    const wanted = words.includes(', which is in an error state')
      ? [nodeLooks.errored.word, nodeLooks.disconnected.word]
      : words.includes(', which can’t be reached')
        ? [nodeLooks.disconnected.word]
        : words.includes(', busy with ') || words.includes(', which is busy')
          ? [nodeLooks.busy.word, nodeLooks.errored.word]
          : null;
    if (wanted === null || this.#truth.of(`node ${node}`) === null) return;
    if (!this.#truth.wasSo(`node ${node}`, (word) => wanted.includes(word), at, this.#allowed))
      this.#say(page, `node ${node}`, words, at, this.#truth.of(`node ${node}`) ?? '');
  }

  /** Whose step a node works on: that workflow must have been at it. Nothing else is sent to the nodes meanwhile. */
  #judgeWork(page: string, { node, words, workflow }: Read['works'][number], at: number): void {
    this.sentences += 1;
    if (words.includes(workcellTexts.ownAction))
      this.#say(page, `node ${node}`, words, at, 'every action is a workflow’s');
    const [, step, total] = /(\d+) of (\d+)/.exec(words) ?? [];
    if (workflow === '' || step === undefined || this.#truth.of(`workflow ${workflow}`) === null) return;
    const fits = (said: string) => said.includes(`${step} of ${total}`);
    if (!this.#truth.wasSo(`workflow ${workflow}`, fits, at, this.#allowed))
      this.#say(page, `workflow ${workflow}`, words, at, this.#truth.of(`workflow ${workflow}`) ?? '');
  }

  #judgeStep(page: string, { state, took }: NonNullable<Read['step']>, at: number): void {
    this.sentences += 1;
    if (state === workflowsTexts.steps.waitsToStart && took !== '–')
      this.#say(page, 'current step', `${state} · ${took}`, at, 'what waits to start has no duration');
  }
}
