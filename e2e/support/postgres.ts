/** A PostgreSQL server of Debian's package, with its data in a temporary folder. */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import { pickFreePort } from './managers.ts';

const run = promisify(execFile);
/** Part of no other text, so that tests can search logs and files for it. */
export const databasePassword = 'secret-4f7c91-Zq';

interface Account {
  readonly uid: number;
  readonly gid: number;
}

export class TestPostgres {
  readonly port: number;
  readonly #folder: string;
  readonly #programs: string;
  /** PostgreSQL refuses to run as root. */
  readonly #user: Account | null;
  #server: ChildProcess | null = null;

  private constructor(port: number, folder: string, programs: string, user: Account | null) {
    this.port = port;
    this.#folder = folder;
    this.#programs = programs;
    this.#user = user;
  }

  /** Starts a server with an empty database. */
  static async start(): Promise<TestPostgres> {
    const versions = (await readdir('/usr/lib/postgresql')).toSorted((a, b) => Number(b) - Number(a));
    const programs = join('/usr/lib/postgresql', versions[0] ?? '', 'bin');
    const readId = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
    const user = process.getuid?.() === 0 ? { uid: readId('-u'), gid: readId('-g') } : null;
    const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
    const postgres = new TestPostgres(await pickFreePort(), folder, programs, user);
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, databasePassword);
    if (user) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
    const options = [
      '--username=lab',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--no-sync',
      '--locale=C.UTF-8',
    ];
    await run(join(programs, 'initdb'), [...options, '--pgdata', join(folder, 'data')], { ...user, cwd: folder });
    await postgres.resume();
    await postgres.query('CREATE DATABASE lab', [], 'postgres');
    return postgres;
  }

  /** The value of `LAB_DATABASE_URL`. */
  url(database = 'lab'): string {
    return `postgresql://lab:${databasePassword}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts the server again with its data, and resolves when it accepts connections. */
  async resume(): Promise<void> {
    const data = join(this.#folder, 'data');
    const args = [
      '-D',
      data,
      '-p',
      String(this.port),
      '-k',
      this.#folder,
      '-c',
      'fsync=off',
      '-c',
      'listen_addresses=127.0.0.1',
    ];
    this.#server = spawn(join(this.#programs, 'postgres'), args, { ...this.#user, cwd: this.#folder, stdio: 'ignore' });
    const giveUpAt = performance.now() + 20_000;
    for (;;) {
      const failure = await this.query('SELECT 1', [], 'postgres').then(
        () => null,
        (error: unknown) => error,
      );
      if (failure === null) return;
      if (performance.now() > giveUpAt) throw failure;
      await sleep(100);
    }
  }

  get isRunning(): boolean {
    return this.#server !== null;
  }

  /** Ends the server at once, as in a crash. */
  async crash(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const exited = once(server, 'exit');
    server.kill('SIGQUIT');
    await exited;
  }

  async query<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
    database = 'lab',
  ): Promise<Row[]> {
    const client = new Client({ connectionString: this.url(database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await this.crash();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
