/** The demo lab at scale: memory, the usual answers, and whole collections as they are when somebody asks for all. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { project, residentMb } from './processes.ts';
import { median, type Result } from './table.ts';

const scale = { resources: 10_000, workflows: 5000, events: 100_000, nodes: 200 };
const times = 30;

/** Answers that a dashboard asks for again and again, by manager. */
const usual = [
  ['workcell', 'nodes'],
  ['workcell', 'state'],
  ['workcell', 'workflows/active'],
  ['workcell', 'workflows/archived?number=20'],
  ['event', 'events?number=100'],
  ['experiment', 'experiments?number=10'],
  ['data', 'datapoints?number=100'],
  ['location', 'locations'],
] as const;

export async function benchDemoLab(): Promise<Result[]> {
  const child = spawn(process.execPath, [join(project, 'dist/demo/main.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { addresses, control } = await told(child);
  await post(`${control}demo/life`, { living: false });
  await post(`${control}demo/scale`, scale);
  const medians: number[] = [];
  for (const [manager, path] of usual) medians.push(await medianMs(`${addresses[manager]}${path}`));
  const whole = await throughput(`${addresses['resource']}resource/query`, { multiple: true });
  const memory = await residentMb(child.pid ?? 0);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  const [slowest, fastest] = [Math.max(...medians), Math.min(...medians)];
  const rate = (whole.megabytes / whole.ms) * 1000;
  return [
    {
      what: 'demo lab at scale: resident memory',
      value: `${Math.round(memory)} MB`,
      against: null,
      ratio: null,
      goal: '< 300 MB',
      met: memory < 300,
    },
    {
      what: 'demo lab at scale: slowest of the usual answers, at the median',
      value: `${slowest.toFixed(1)} ms`,
      against: `fastest of them, ${fastest.toFixed(1)} ms`,
      ratio: slowest / fastest,
      goal: '< 50 ms',
      met: slowest < 50,
    },
    {
      what: `demo lab at scale: all ${scale.resources.toLocaleString('en')} resources`,
      value: `${whole.megabytes.toFixed(1)} MB in ${Math.round(whole.ms)} ms, ${rate.toFixed(0)} MB/s`,
      against: null,
      ratio: null,
      goal: 'none: told in MB/s',
      met: true,
    },
  ];
}

/** What the demo lab prints: the managers' addresses as settings, and its control. */
function told(child: ChildProcess): Promise<{ addresses: Record<string, string>; control: string }> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`The demo lab ended with ${code}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const control = /(http:\S+?)demo\/faults/.exec(text)?.[1];
      if (control === undefined) return;
      const lines = [...text.matchAll(/^(\w+)_server_url: (\S+)$/gm)];
      resolve({ control, addresses: Object.fromEntries(lines.map(([, manager, url]) => [manager, url])) });
    });
  });
}

async function post(url: string, body: unknown): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: HTTP ${answer.status} ${await answer.text()}`);
  return answer;
}

async function medianMs(url: string): Promise<number> {
  const found: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const started = performance.now();
    const answer = await fetch(url);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url}: HTTP ${answer.status}`);
    found.push(performance.now() - started);
  }
  return median(found);
}

async function throughput(url: string, body: unknown): Promise<{ megabytes: number; ms: number }> {
  const started = performance.now();
  const bytes = await (await post(url, body)).arrayBuffer();
  return { megabytes: bytes.byteLength / 1024 / 1024, ms: performance.now() - started };
}
