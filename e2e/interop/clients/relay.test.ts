/** MADSci's clients, unmodified, through the relay: with the API tokens of two roles, as the user guide describes. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildStale } from '#build/bundle/buildStale.mjs';
import { managerKeys, type ManagerKey } from '#api/managers.ts';
import { repository } from '../../support/service.ts';
import { target } from '../behaviour/lab.ts';
import { pollUntil } from '../../support/pollUntil.ts';
import { runPython } from '../python.ts';
import { startRelay, type Relay } from '../relay.ts';

/** What a client read, or the status of the refusal. */
const outcome = z.union([z.string(), z.number()]);
const outcomes = z.object({
  read: outcome,
  read_async: outcome,
  written: outcome,
  viewer: z.tuple([outcome, outcome]),
  stranger: z.tuple([outcome, outcome]),
});

let relay: Relay;
let clients: Readonly<Record<ManagerKey, z.infer<typeof outcomes>>>;

/** Creates a token with the program's own command line. */
function createToken(role: string): string {
  const { commandEnvironment: env, labFolder: cwd } = relay.service;
  const command = [join(repository, 'dist/server/main.js'), '--token', 'create', `${role}-script`, '--role', role];
  const [token = ''] = execFileSync(process.execPath, command, { cwd, env }).toString().split('\n');
  return token;
}

/** Reads the example of the guide, and inserts the address of the relay. */
async function readGuideExample(): Promise<string> {
  const guide = await readFile(join(repository, 'docs/guide/users.md'), 'utf8');
  const [, example] = /```python\n([^]*?)```/.exec(guide) ?? [];
  if (example === undefined) throw new Error('The guide has no example in Python');
  return example.replace(/"https:[^"]*"/, JSON.stringify(relay.url));
}

async function readSession(token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(new URL('session', relay.service.url), { headers })).text();
}

beforeAll(async () => {
  await buildStale(repository);
  relay = await startRelay(target.context);
  const tokens = { operator: createToken('operator'), viewer: createToken('viewer') };
  for (const [role, token] of Object.entries(tokens))
    await pollUntil(
      () => readSession(token),
      (text) => text.includes(`"${role}"`),
    );
  const example = await readGuideExample();
  const snippets = Object.fromEntries(
    Object.entries(tokens).map(([role, token]) => [role, example.replace(/"lmt_[^"]*"/, JSON.stringify(token))]),
  );
  const pythonOutput = await runPython(
    ['relay'],
    { managers: target.context, snippets },
    {
      SSL_CERT_FILE: relay.certificateFile,
    },
  );
  clients = z.record(z.enum(managerKeys), outcomes).parse(pythonOutput);
});
afterAll(() => relay.stop());

describe.each(managerKeys)('the Python client of the %s manager, through the relay', (key) => {
  it('reads what was written directly, synchronously and asynchronously', () => {
    expect([clients[key].read, clients[key].read_async]).toEqual([`${key}_directly`, `${key}_directly`]);
  });

  it('writes with the token of an operator', () => {
    expect(clients[key].written).toBe(`${key}_relayed`);
  });

  it('reads with the token of a viewer, and may not write', () => {
    expect(clients[key].viewer).toEqual([`${key}_directly`, 403]);
  });

  it('is refused without a token', () => {
    expect(clients[key].stranger).toEqual([401, 401]);
  });
});
