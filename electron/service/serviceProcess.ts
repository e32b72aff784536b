/** The lab manager in a process of its own: started, heard, restarted when it dies, stopped when we quit. */
import { utilityProcess, type UtilityProcess } from 'electron';
import { isServiceMessage, type Reply, type ServiceMessage, type ShellMessage } from '../../server/messages.ts';
import type { Log } from '../../server/log.ts';
import { decideRestart } from './restartPolicy.ts';

type Start = Extract<ShellMessage, { type: 'start' }>;
type Question = Extract<ShellMessage, { id: number }>;
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** How long the service may take to stop, in milliseconds. */
const stopMs = 4500;

/** What the service tells without being asked. */
export type Told = Exclude<ServiceMessage, { type: 'reply' }>;

export interface ServiceProcessEvents {
  message(message: Told): void;
  /** It died and is started again. */
  restarting(exitCode: number): void;
  /** It died too often. `output` is the last that it wrote to standard error. */
  gaveUp(crashes: number, exitCode: number, output: string): void;
}

export class ServiceProcess {
  readonly #entry: string;
  readonly #log: Log;
  readonly #events: ServiceProcessEvents;
  #child: UtilityProcess | null = null;
  #start: Start | null = null;
  #crashes: number[] = [];
  #restartTimer: NodeJS.Timeout | null = null;
  #output = '';
  #nextId = 1;
  readonly #waiting = new Map<number, (reply: Reply) => void>();

  /** @param entry whole path of the service's program */
  constructor(entry: string, log: Log, events: ServiceProcessEvents) {
    this.#entry = entry;
    this.#log = log;
    this.#events = events;
  }

  /** The process's id while it runs. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Starts the service, or starts it anew with other inputs; a person asked, so earlier crashes are forgotten. */
  start(start: Start): void {
    this.#start = start;
    this.#crashes = [];
    this.#clearTimer();
    if (!this.#child) this.#fork();
    this.send(start);
  }

  send(message: ShellMessage): void {
    this.#child?.postMessage(message);
  }

  /** Asks the service; a service that dies meanwhile is an answer too. */
  ask(question: WithoutId<Question>): Promise<Reply> {
    if (!this.#child) return Promise.resolve({ ok: false, error: 'The lab manager service is not running' });
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.send({ ...question, id } as Question);
    });
  }

  /** Stops the service: asks, ends it after 4.5 s, and after 5 s no longer waits. */
  async stop(): Promise<void> {
    this.#start = null;
    this.#clearTimer();
    const child = this.#child;
    if (!child) return;
    await new Promise<void>((resolve) => {
      const kill = setTimeout(() => child.kill(), stopMs);
      const giveUp = setTimeout(() => resolve(), stopMs + 500);
      child.once('exit', () => {
        clearTimeout(kill);
        clearTimeout(giveUp);
        resolve();
      });
      child.postMessage({ type: 'quit' } satisfies ShellMessage);
    });
  }

  #fork(): void {
    // Name look-ups of hanging name servers occupy threads that file reads need too.
    const env = { ...process.env, UV_THREADPOOL_SIZE: process.env['UV_THREADPOOL_SIZE'] ?? '16' };
    const child = utilityProcess.fork(this.#entry, [], { serviceName: 'Lab Manager service', stdio: 'pipe', env });
    this.#child = child;
    this.#output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-4000);
    });
    child.stdout?.resume();
    child.on('message', (message: unknown) => this.#take(message));
    child.once('exit', (code) => this.#exited(child, code));
  }

  #take(message: unknown): void {
    if (!isServiceMessage(message)) return this.#log.error('The service sent something that is not a message');
    if (message.type !== 'reply') return this.#events.message(message);
    this.#waiting.get(message.id)?.(message.reply);
    this.#waiting.delete(message.id);
  }

  #exited(child: UtilityProcess, code: number): void {
    if (this.#child === child) this.#child = null;
    for (const answer of this.#waiting.values()) answer({ ok: false, error: 'The lab manager service stopped' });
    this.#waiting.clear();
    if (!this.#start) return;
    const now = Date.now();
    this.#crashes.push(now);
    const decision = decideRestart(this.#crashes, now);
    this.#log.error(`The service ended unexpectedly (exit code ${code})`, { output: this.#output.slice(-1000) });
    if (decision.kind === 'give-up') return this.#events.gaveUp(decision.crashes, code, this.#output);
    this.#events.restarting(code);
    this.#restartTimer = setTimeout(() => {
      if (!this.#start) return;
      this.#fork();
      this.send(this.#start);
    }, decision.afterMs);
  }

  #clearTimer(): void {
    if (this.#restartTimer) clearTimeout(this.#restartTimer);
    this.#restartTimer = null;
  }
}
