/** The demo lab in a process of its own, so that what it does costs the measured program nothing but processor time. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { ManagerKey } from '../api/managers.ts';
import { project } from './desktop/processes.ts';

export interface DemoProcess {
  readonly pid: number;
  readonly addresses: Readonly<Record<ManagerKey, string>>;
  /** Asks its control (`demo/serving/control.ts`) for something. */
  ask(path: string, body: unknown): Promise<void>;
  stop(): Promise<void>;
}

export async function startDemo(): Promise<DemoProcess> {
  const child = spawn(process.execPath, [join(project, 'dist/demo/main.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { addresses, control } = await told(child);
  return {
    pid: child.pid ?? 0,
    addresses,
    ask: async (path, body) => void (await post(`${control}demo/${path}`, body)),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** What the demo lab prints: the managers' addresses as settings, and its control. */
function told(child: ChildProcess): Promise<{ addresses: Record<ManagerKey, string>; control: string }> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`The demo lab ended with ${code}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const control = /(http:\S+?)demo\/faults/.exec(text)?.[1];
      if (control === undefined) return;
      const lines = [...text.matchAll(/^(\w+)_server_url: (\S+)$/gm)];
      const addresses = Object.fromEntries(lines.map(([, manager, url]) => [manager, url]));
      resolve({ control, addresses: addresses as Record<ManagerKey, string> });
    });
  });
}

export async function post(url: string, body: unknown): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: HTTP ${answer.status} ${await answer.text()}`);
  return answer;
}
