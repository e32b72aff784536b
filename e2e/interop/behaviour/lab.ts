/** Shared by the behaviour tests: the target, and a client for each manager. */
import { inject, it } from 'vitest';
import { createClient } from '#api/client/client.ts';
import { dataApi } from '#api/managers/data.ts';
import { eventApi } from '#api/managers/event.ts';
import { experimentApi } from '#api/managers/experiment.ts';
import { locationApi } from '#api/managers/location.ts';
import { ManagerError } from '#api/client/managerError.ts';
import { nodeApi } from '#api/managers/node.ts';
import { resourceApi } from '#api/managers/resource.ts';
import { readLabVersion } from '#api/version.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import type { ManagerKey } from '#api/managers.ts';
import { hangMs } from '../../support/pollUntil.ts';
import { countingFetch } from '../coverage.ts';

export const target = inject('target');
export const { nodeNames } = target;

/** For tests of endpoints that no page uses: the demo lab does not serve them (`demo/base/unservedEndpoints.ts`). */
export const itOnRealLab = it.runIf(target.kind === 'real');

const fetch = countingFetch(target);
const clientOptions = (key: ManagerKey) => ({ baseUrl: target.context[key], fetch, timeoutMs: hangMs });
/** The version of the managers that can be older than the others. */
const version = readLabVersion(target.madsci);

export const events = createClient(eventApi, clientOptions('event'));
export const experiments = createClient(experimentApi, clientOptions('experiment'));
export const resources = createClient(resourceApi, clientOptions('resource'));
export const data = createClient(dataApi, clientOptions('data'));
export const workcell = createClient(workcellApi, { ...clientOptions('workcell'), version });
export const locations = createClient(locationApi, { ...clientOptions('location'), version });

/** Creates a client for a node by its name, at the address that the workcell uses. */
export function nodeClient(name: string) {
  return createClient(nodeApi, { baseUrl: nodeUrl(name), fetch });
}

function nodeUrl(name: string): string {
  const url = target.nodeUrls[name];
  if (url === undefined) throw new Error(`There is no node ${name}`);
  return url;
}

/** An ID that does not exist. */
export const unknownId = '01JAR5ZV1XJ6W3C1V5T0F2N8QY';

/** Returns the identifier of objects that store it as `_id`: experiments, events and datapoints. */
export function getId({ _id: id }: { readonly _id: string }): string {
  return id;
}

let nameCount = 0;
/** Returns a name that no other test uses. */
export function uniqueName(prefix: string): string {
  nameCount += 1;
  return `${prefix}_${process.pid}_${nameCount}`;
}

/** Returns the unprocessed response, for details that the clients normalize. */
export async function fetchRaw(
  key: ManagerKey | { readonly node: string },
  path: string,
  init?: RequestInit,
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string; readonly json: unknown }> {
  const base = typeof key === 'string' ? target.context[key] : nodeUrl(key.node);
  const response = await fetch(`${base}${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // The caller reads the text.
  }
}

export const jsonRequest = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Returns the error of a call that must fail. */
export async function catchRefusal(call: Promise<unknown>): Promise<ManagerError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ManagerError) return error;
    throw error;
  }
  throw new Error('The call succeeded, but should have been refused');
}
