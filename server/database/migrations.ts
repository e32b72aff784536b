/** The tables of the shared database, in a separate schema. Each step runs once, in order; released steps never change. */
import type { Client } from 'pg';

export const schemaName = 'lab_manager';

export const migrations: readonly string[] = [
  `
  CREATE TABLE ${schemaName}.records (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    -- node, watched, or other: each class has its own limit when the history is read.
    class text NOT NULL,
    -- The manager, node or maintenance whose state it sets; null for other records.
    subject text,
    server text NOT NULL,
    -- Whether another server recorded the same time.
    superseded boolean NOT NULL,
    body text NOT NULL
  );
  CREATE INDEX records_by_class ON ${schemaName}.records (class, at DESC, id DESC) WHERE NOT superseded;
  CREATE INDEX records_by_subject ON ${schemaName}.records (subject, at DESC, id DESC)
    WHERE NOT superseded AND subject IS NOT NULL;
  CREATE TABLE ${schemaName}.subjects (subject text PRIMARY KEY);
  -- When each server recorded. The records of the server that stored a time first are used.
  CREATE TABLE ${schemaName}.coverage (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    server text NOT NULL,
    first timestamptz NOT NULL,
    last timestamptz NOT NULL
  );
  CREATE INDEX coverage_by_time ON ${schemaName}.coverage (last, first);
  -- The last line that each server stored, so that lines read again after a crash are not stored twice.
  CREATE TABLE ${schemaName}.uploads (server text PRIMARY KEY, line_hash text NOT NULL);
  CREATE TABLE ${schemaName}.notifications (
    key text NOT NULL,
    -- Hash of the receiver's address, which is a secret.
    receiver text NOT NULL,
    body text NOT NULL,
    queued timestamptz NOT NULL DEFAULT now(),
    done timestamptz,
    PRIMARY KEY (key, receiver)
  );
  CREATE INDEX notifications_open ON ${schemaName}.notifications (queued) WHERE done IS NULL;
  CREATE TABLE ${schemaName}.state (
    name text PRIMARY KEY,
    content text NOT NULL,
    written timestamptz NOT NULL DEFAULT now()
  );
  `,
  `
  -- Earlier versions identified a server by its name: records from then count as those of another server.
  CREATE TABLE ${schemaName}.servers (id text PRIMARY KEY, name text NOT NULL);
  -- For the deletion of old superseded records; other records are found by the index on class.
  CREATE INDEX records_superseded ON ${schemaName}.records (at, id) WHERE superseded;
  `,
];

/** @throws {Error} if the tables are of a later version */
export async function migrate(client: Client): Promise<void> {
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schemaName}`);
  await client.query(`CREATE TABLE IF NOT EXISTS ${schemaName}.version (version int NOT NULL)`);
  const { rows } = await client.query<{ version: number }>(`SELECT version FROM ${schemaName}.version`);
  const currentVersion = rows[0]?.version ?? 0;
  if (currentVersion > migrations.length)
    throw new Error(
      `its tables are of version ${currentVersion}, this lab manager has version ${migrations.length}: update this lab manager`,
    );
  for (const [index, statements] of migrations.entries()) {
    if (index < currentVersion) continue;
    const version =
      index === 0
        ? `INSERT INTO ${schemaName}.version VALUES (1)`
        : `UPDATE ${schemaName}.version SET version = ${index + 1}`;
    // Several statements in one query are one transaction.
    await client.query(`BEGIN; ${statements}; ${version}; COMMIT`);
  }
}
