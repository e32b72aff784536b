/** Runs the demo lab in a separate process, so that it shares only CPU time with the measured program. */
import { join } from 'node:path';
import { startDemoChild } from '../server/commandLine/demoChild.ts';
import type { RunningDemo } from '../server/lifecycle/demo.ts';
import { projectRoot } from './desktop/processes.ts';

export interface DemoProcess extends RunningDemo {
  readonly pid: number;
  /** Sends a request to the demo lab's control interface (`demo/lab/control.ts`). */
  post(path: string, body: unknown): Promise<void>;
}

export async function startDemo(): Promise<DemoProcess> {
  const demo = await startDemoChild(join(projectRoot, 'dist/demo/process.js'));
  return { ...demo, post: async (path, body) => void (await post(`${demo.control}demo/${path}`, body)) };
}

export async function post(url: string, body: unknown): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status} ${await response.text()}`);
  return response;
}
