/**
 * The ID that distinguishes the servers of one database: random, because two machines may have the same name, and stored
 * in the state folder beside the history.
 */
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import * as z from 'zod';
import { errorCode } from '../../api/errorText.ts';
import type { Log } from '../logging/log.ts';
import { StateFile } from '../storage/stateFile.ts';
import { schemaName } from './migrations.ts';

/** PostgreSQL's code of an exceeded `lock_timeout`. */
const lockNotAvailable = '55P03';

const content = z.object({ version: z.literal(1), id: z.uuid() });

export class ServerIdentity {
  readonly #file: StateFile;
  #id: string | null = null;

  private constructor(file: StateFile) {
    this.#file = file;
  }

  /** Reads the ID in the file at `path`. */
  static async load(path: string, log: Log): Promise<ServerIdentity> {
    const identity = new ServerIdentity(new StateFile(path, 'The ID of this server in the database', log));
    await identity.#file.load((text) => {
      if (text !== null) identity.#id ??= content.parse(JSON.parse(text)).id;
    });
    return identity;
  }

  /** The stored ID; if there is none, a new one is created and stored. */
  get id(): string {
    return this.#id ?? this.renew();
  }

  /** Replaces the ID. */
  renew(): string {
    const id = randomUUID();
    this.#id = id;
    this.#file.save(`${JSON.stringify({ version: 1, id })}\n`);
    return id;
  }
}

/**
 * Reserves the ID for the session, and stores the server's name. If another session has the ID for longer than `waitMs`, it
 * belongs to another server, such as one with a copy of the state folder: then this server gets a new ID.
 * @param waitMs above the time after which PostgreSQL ends a former session of this server
 */
export async function claimIdentity(
  client: Client,
  {
    identity,
    name,
    log,
  }: { readonly identity: Pick<ServerIdentity, 'id' | 'renew'>; readonly name: string; readonly log: Log },
  waitMs: number,
): Promise<void> {
  const lock = (id: string) =>
    client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`${schemaName} server ${id}`]);
  await client.query(`SET lock_timeout = ${waitMs}`);
  try {
    await lock(identity.id);
  } catch (error) {
    if (errorCode(error) !== lockNotAvailable) throw error;
    log.warn(
      'Another server has the same ID in the database, as after a copy of the state folder: this one has a new ID',
    );
    await lock(identity.renew());
  }
  await client.query(
    `INSERT INTO ${schemaName}.servers (id, name) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name`,
    [identity.id, name],
  );
}
