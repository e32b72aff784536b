/** The demo lab: starts and stops the process that simulates its managers, and starts its lab manager. */
import { errorText } from '../../api/errorText.ts';
import type { RunningDemo } from '../../server/lifecycle/demo.ts';
import type { Log } from '../../server/logging/log.ts';
import { startDemoProcess } from '../service/demoProcess.ts';
import type { LabService } from '../service/labService.ts';

export class DemoSession {
  readonly #service: LabService;
  readonly #entry: string;
  readonly #log: Log;
  readonly #besidesLab: boolean;
  #demo: RunningDemo | null = null;
  #starting: Promise<void> | null = null;
  #isStopped = false;

  /**
   * @param entry absolute path of the demo program
   * @param besidesLab whether the real lab's lab manager runs in the same app
   */
  constructor(service: LabService, entry: string, log: Log, besidesLab: boolean) {
    this.#service = service;
    this.#entry = entry;
    this.#log = log;
    this.#besidesLab = besidesLab;
  }

  /**
   * Starts the demo lab, unless it runs already, and starts or restarts its lab manager. Concurrent calls share one
   * start, and a failure appears in the service's state.
   */
  start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  /** Stops the process of the demo lab, even during its start. The caller stops or replaces its lab manager. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#starting;
    await this.#demo?.stop();
    this.#demo = null;
  }

  async #start(): Promise<void> {
    this.#isStopped = false;
    this.#service.prepare();
    try {
      this.#demo ??= await startDemoProcess(this.#entry, (reason) => this.#onLost(reason));
      if (this.#isStopped) return;
      this.#log.info(`Faults and size of the demo lab: ${this.#demo.control}`);
      this.#service.start({ kind: 'demo', addresses: this.#demo.addresses, besidesLab: this.#besidesLab });
    } catch (error) {
      this.#service.fail(errorText(error));
    }
  }

  #onLost(reason: string): void {
    this.#demo = null;
    this.#log.error(`The demo lab ended: ${reason}`);
    this.#service.fail(`The program that simulates its managers has ended. ${reason}.`);
  }
}
