/** The demo lab at scale: memory, the usual responses, and the response with all resources. */
import { post, startDemo } from './demoProcess.ts';
import { readResidentMb } from './desktop/processes.ts';
import { median, type Result } from './dashboard/table.ts';

const scale = { resources: 10_000, workflows: 5000, events: 100_000, nodes: 200 };
const requestsPerEndpoint = 30;

/** Responses that a dashboard requests repeatedly, by manager. */
const usualPaths = [
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
  const demo = await startDemo();
  await demo.post('simulation', { running: false });
  await demo.post('scale', scale);
  const medians: number[] = [];
  for (const [manager, path] of usualPaths)
    medians.push(await medianMs(`${demo.addresses[`${manager}_server_url`]}${path}`));
  const transfer = await measureTransfer(`${demo.addresses.resource_server_url}resource/query`, { multiple: true });
  const memory = await readResidentMb(demo.pid);
  await demo.stop();
  const [slowest, fastest] = [Math.max(...medians), Math.min(...medians)];
  const rate = (transfer.megabytes / transfer.ms) * 1000;
  return [
    {
      measurement: 'demo lab at scale: resident memory',
      value: `${Math.round(memory)} MB`,
      baseline: null,
      ratio: null,
      goal: '< 300 MB',
      isMet: memory < 300,
    },
    {
      measurement: 'demo lab at scale: highest median latency among common requests',
      value: `${slowest.toFixed(1)} ms`,
      baseline: `the lowest, ${fastest.toFixed(1)} ms`,
      ratio: slowest / fastest,
      goal: '< 50 ms',
      isMet: slowest < 50,
    },
    {
      measurement: `demo lab at scale: all ${scale.resources.toLocaleString('en')} resources`,
      value: `${transfer.megabytes.toFixed(1)} MB in ${Math.round(transfer.ms)} ms, ${rate.toFixed(0)} MB/s`,
      baseline: null,
      ratio: null,
      goal: 'none: reported in MB/s',
      isMet: true,
    },
  ];
}

async function medianMs(url: string): Promise<number> {
  const durations: number[] = [];
  for (let round = 0; round < requestsPerEndpoint; round += 1) {
    const started = performance.now();
    const response = await fetch(url);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
    durations.push(performance.now() - started);
  }
  return median(durations);
}

async function measureTransfer(url: string, body: unknown): Promise<{ megabytes: number; ms: number }> {
  const started = performance.now();
  const bytes = await (await post(url, body)).arrayBuffer();
  return { megabytes: bytes.byteLength / 1024 / 1024, ms: performance.now() - started };
}
