/** The one running lab manager of a service process, whichever way it serves, and the shell's questions to it. */
import { Attachment } from './attach.ts';
import type { LabStatus } from '../api/lab.ts';
import { testAddress } from './addressTest.ts';
import { demoOptions } from './demo.ts';
import { findInstallation } from './installation.ts';
import { LabManager } from './labManager.ts';
import { errorText, silentLog, type Log } from './log.ts';
import { openLog, type FileLog } from './logFile.ts';
import type { Reply, ServiceMessage, ShellMessage } from './messages.ts';
import { writeSetting } from './settings/write.ts';
import type { Watch } from './health/watch.ts';
import type { ServiceStatus } from './status.ts';

type Start = Extract<ShellMessage, { type: 'start' }>;

/** The shell hears of the lab at most this often, in milliseconds. */
const tellMs = 100;

export class ServiceHost {
  readonly #tell: (message: ServiceMessage) => void;
  #start: Start | null = null;
  #file: FileLog | null = null;
  #manager: LabManager | null = null;
  #attachment: Attachment | null = null;
  #tellTimer: NodeJS.Timeout | null = null;
  #watched: Watch | null = null;

  readonly #quit: () => void;

  /** @param quit ends the process once everything is stopped */
  constructor(tell: (message: ServiceMessage) => void, quit: () => void) {
    this.#tell = tell;
    this.#quit = quit;
  }

  get log(): Log {
    return this.#file?.log ?? silentLog;
  }

  async take(message: ShellMessage): Promise<void> {
    switch (message.type) {
      case 'start':
        return this.#begin(message);
      case 'quit':
        await this.#end();
        return this.#quit();
      case 'restart':
        return void (await this.#manager?.restart());
      case 'check-now':
        this.#attachment?.checkNow();
        return this.#manager?.watch?.checkNow();
      case 'suspend':
        return this.#manager?.watch?.suspend();
      case 'resume':
        this.#attachment?.checkNow();
        return this.#manager?.watch?.resume();
      case 'test-address':
        return this.#reply(message.id, testAddress(message.manager, message.url));
      case 'write-settings':
        return this.#reply(message.id, this.#write(message.changes));
    }
  }

  async #begin(start: Start): Promise<void> {
    await this.#end();
    this.#start = start;
    this.#file ??= openLog(start.logDir, false);
    if (start.mode.kind === 'attach') return this.#attach(start.mode.url);
    const installation = findInstallation(import.meta.dirname);
    const manager = new LabManager({
      inputs: start.inputs,
      version: installation.version,
      bundled: installation,
      log: this.#file.log,
      onLogSettings: (settings) => this.#file?.configure(settings),
      ...(start.mode.kind === 'follow' ? { follow: start.mode.url, listen: { host: '127.0.0.1', port: 0 } } : {}),
      ...(start.mode.kind === 'demo' ? await demoOptions(start.mode.addresses) : {}),
    });
    this.#manager = manager;
    manager.onStatus((status) => {
      this.#tellStatus(status);
      if (status.phase === 'running') this.#watchLab(manager);
    });
    await manager.start();
  }

  async #end(): Promise<void> {
    if (this.#tellTimer) clearTimeout(this.#tellTimer);
    this.#tellTimer = null;
    this.#attachment?.stop();
    this.#attachment = null;
    await this.#manager?.stop();
    this.#manager = null;
  }

  #attach(url: string): void {
    this.#attachment = new Attachment(url, {
      log: this.log.scope('attach'),
      onLab: (lab, service) => {
        this.#tellStatus({ phase: 'attached', url, ...service, labName: lab.lab_name });
        this.#tellLab(lab);
      },
      onLost: (reason) =>
        this.#tellStatus({ phase: 'failed', reason: `The lab manager at ${url} no longer answers: ${reason}` }),
    });
    this.#attachment.start();
  }

  /** Tells the lab's state soon after each change of it. */
  #watchLab(manager: LabManager): void {
    const { watch } = manager;
    if (!watch) return;
    this.#tellLab(watch.status());
    if (watch === this.#watched) return;
    this.#watched = watch;
    watch.onChange(() => {
      this.#tellTimer ??= setTimeout(() => {
        this.#tellTimer = null;
        if (this.#manager === manager) this.#tellLab(watch.status());
      }, tellMs);
    });
  }

  #tellLab(lab: LabStatus): void {
    this.#tell({ type: 'lab', lab });
  }

  #tellStatus(status: ServiceStatus): void {
    this.#tell({ type: 'status', status, logFile: this.#file?.path ?? '' });
  }

  async #write(changes: Readonly<Record<string, string | null>>): Promise<null> {
    if (!this.#start) throw new Error('The service was not started yet');
    await writeSetting(this.#start.inputs.userConfigDir, changes);
    return null;
  }

  async #reply(id: number, work: Promise<unknown>): Promise<void> {
    const reply: Reply = await work.then(
      (value) => ({ ok: true as const, value }),
      (error: unknown) => ({ ok: false as const, error: errorText(error) }),
    );
    this.#tell({ type: 'reply', id, reply });
  }
}
