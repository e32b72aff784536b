/**
 * The metrics of the demo lab in Prometheus and Alertmanager, with the configuration in `resources/monitoring`: only
 * addresses, folders and intervals differ.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Panel } from '@grafana/schema';
import ts from 'typescript';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { settingsLines, startDemoLab, type DemoLab } from '../../demo/lab/lab.ts';
import { pickFreePort } from '../support/managers.ts';
import { repository, startService, type TestService } from '../support/service.ts';

const monitoring = join(repository, 'resources', 'monitoring');
const notification = z.object({
  alerts: z.array(z.object({ status: z.string(), labels: z.record(z.string(), z.string()) })),
});
const dashboard = z.object({
  panels: z.array(
    z.object({
      type: z.string(),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })),
      fieldConfig: z.object({ defaults: z.looseObject({ custom: z.optional(z.unknown()) }) }),
      options: z.unknown(),
    }),
  ),
});
const ruleFile = z.object({
  groups: z.array(
    z.object({
      rules: z.array(z.object({ alert: z.string(), expr: z.string(), annotations: z.record(z.string(), z.string()) })),
    }),
  ),
});
const moduleOptions = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
const queryResponse = z.object({
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
});

let folder: string;
let lab: DemoLab;
let service: TestService;
let receiver: Server;
let prometheus: string;
const programs: ChildProcess[] = [];
const alerts: z.infer<typeof notification>['alerts'] = [];

/** Starts a program that runs until the end of the tests. @returns a function that returns its output so far */
function start(program: string, args: readonly string[]): () => string {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  programs.push(child);
  return () => output;
}

const isReady = (url: string) =>
  fetch(new URL('/-/ready', url)).then(
    ({ ok }) => ok,
    () => false,
  );

/** Returns the current samples of a query: labels and value. */
async function query(expression: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const url = new URL('/api/v1/query', prometheus);
  url.searchParams.set('query', expression);
  const { data } = queryResponse.parse(await (await fetch(url)).json());
  return data.result.map(({ metric, value }) => ({ ...metric, value: value[1] }));
}

/**
 * Returns the selectors of an expression. A selector with alternatives (`state=~"errored|stopped"`) is returned once for
 * each of them, because a query with alternatives has data as soon as one of them exists.
 */
function findSelectors(expression: string): readonly string[] {
  const selectors = expression.match(/\b(?:labmanager_\w+|process_\w+|up)\b(?:\{[^}]*\})?/g) ?? [];
  return selectors.flatMap((selector) => {
    const [all = '', name = '', values = ''] = /(\w+)=~"([^"]*\|[^"]*)"/.exec(selector) ?? [];
    return all === '' ? [selector] : values.split('|').map((value) => selector.replace(all, `${name}="${value}"`));
  });
}

/** Returns the labels that a legend or a text of an alert shows. */
function findLabels(template: string): readonly string[] {
  return [...template.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label);
}

/** The options of each panel type, which the type of a dashboard leaves open. */
const panelTypes: Readonly<Record<Panel['type'], { readonly file: string; readonly custom: string | null }>> = {
  stat: { file: 'stat/panelcfg/x/StatPanelCfg_types.gen', custom: null },
  timeseries: { file: 'timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen', custom: 'FieldConfig' },
  'state-timeline': { file: 'statetimeline/panelcfg/x/StateTimelinePanelCfg_types.gen', custom: 'FieldConfig' },
};

/** Returns a program that compiles if the dashboard is valid. */
function dashboardCode(text: string, panels: z.infer<typeof dashboard>['panels']): string {
  const values = panels.map(({ type, options, fieldConfig }) => {
    const panel = panelTypes[type];
    if (panel === undefined) throw new Error(`The test has no options for a panel of type ${type}`);
    const from = `import('@grafana/schema/dist/esm/raw/composable/${panel.file}')`;
    const custom = fieldConfig.defaults.custom ?? {};
    const fields =
      panel.custom === null ? '' : `, ${JSON.stringify(custom)} satisfies Json<Partial<${from}.${panel.custom}>>`;
    return `[${JSON.stringify(options)} satisfies Json<Partial<${from}.Options>>${fields}]`;
  });
  return [
    "import type { Dashboard } from '@grafana/schema';",
    // In JSON, the value of an enumeration is its text. With an error for it, no unknown property would be reported.
    'type Json<T> = T extends string ? `${T}` : T extends object ? { [Key in keyof T]: Json<T[Key]> } : T;',
    `export const dashboard = ${text.trim()} satisfies Json<Dashboard>;`,
    `export const panels = [${values.join(',\n')}];\n`,
  ].join('\n');
}

async function listenForAlerts(): Promise<string> {
  receiver = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    alerts.push(...notification.parse(JSON.parse(Buffer.concat(body).toString())).alerts);
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alerts`;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'monitoring-'));
  lab = await startDemoLab({ simulation: false, past: false });
  service = await startService({ files: { 'settings.yaml': `${settingsLines(lab)}\nlab_watch_interval: 1\n` } });
  const [prometheusPort, alertmanagerPort, clusterPort] = [
    await pickFreePort(),
    await pickFreePort(),
    await pickFreePort(),
  ];
  prometheus = `http://127.0.0.1:${prometheusPort}`;
  const alertmanager = `127.0.0.1:${alertmanagerPort}`;

  const routes = parse(await readFile(join(monitoring, 'alertmanager.yml'), 'utf8'));
  routes.route.group_wait = '1s';
  routes.receivers[0].webhook_configs[0].url = await listenForAlerts();
  await writeFile(join(folder, 'alertmanager.yml'), stringify(routes));

  const config = parse(await readFile(join(monitoring, 'prometheus.yml'), 'utf8'));
  config.global = { scrape_interval: '1s', evaluation_interval: '1s' };
  config.scrape_configs[0].static_configs[0].targets = [`127.0.0.1:${service.port}`];
  config.rule_files = [join(monitoring, 'rules.yml')];
  config.alerting.alertmanagers[0].static_configs[0].targets = [alertmanager];
  await writeFile(join(folder, 'prometheus.yml'), stringify(config));

  const outputs = [
    start('prometheus-alertmanager', [
      `--config.file=${join(folder, 'alertmanager.yml')}`,
      `--storage.path=${join(folder, 'alerts')}`,
      `--web.listen-address=${alertmanager}`,
      `--cluster.listen-address=127.0.0.1:${clusterPort}`,
    ]),
    start('prometheus', [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'metrics')}`,
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
    ]),
  ];
  for (const url of [`http://${alertmanager}`, prometheus]) {
    await vi.waitFor(
      async () => {
        if (!(await isReady(url))) throw new Error(outputs.map((output) => output()).join('\n'));
      },
      { interval: 100 },
    );
  }
});

afterAll(async () => {
  for (const program of programs) program.kill();
  receiver.close();
  await service.stop();
  await lab.stop();
  await rm(folder, { recursive: true, force: true });
});

it('promtool reports no problems in the metrics and rules', async () => {
  const metrics = await (await fetch(`${service.url}metrics`)).text();
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: metrics, encoding: 'utf8' });
  // Node's own metrics, from prom-client, have names that promtool criticises.
  const problems = `${checked.stdout}${checked.stderr}`.split('\n').filter((line) => line.includes('labmanager_'));
  expect(problems).toEqual([]);
  const rules = spawnSync('promtool', ['check', 'rules', join(monitoring, 'rules.yml')], { encoding: 'utf8' });
  expect(rules.stdout).toContain('SUCCESS: 7 rules found');
});

it('Prometheus reads managers, nodes and active workflows', async () => {
  const names = ['data', 'event', 'experiment', 'location', 'resource', 'workcell'];
  const up = async () => (await query('labmanager_manager_up == 1')).map((sample) => sample['manager']).toSorted();
  await expect.poll(up).toEqual(names);
  await expect.poll(() => query('sum by (lab) (labmanager_nodes)')).toEqual([{ lab: 'Bench Lab', value: '5' }]);
  const active = async () => (await query('labmanager_workflows_active')).map((sample) => sample['state']).toSorted();
  await expect.poll(active).toEqual(['paused', 'queued', 'running']);
});

it('the Grafana dashboard is valid for Grafana’s types, and every query has data', async () => {
  const text = await readFile(join(monitoring, 'grafana-dashboard.json'), 'utf8');
  await mkdir(join(repository, 'out'), { recursive: true });
  const work = await mkdtemp(join(repository, 'out', 'grafana-'));
  const file = join(work, 'dashboard.ts');
  const { panels } = dashboard.parse(JSON.parse(text));
  await writeFile(file, dashboardCode(text, panels));
  const program = ts.createProgram([file], {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    ...moduleOptions,
  });
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  await rm(work, { recursive: true });
  expect(problems).toEqual([]);

  const targets = panels.flatMap((panel) => panel.targets);
  expect(targets.length).toBeGreaterThan(10);
  for (const { expr, legendFormat } of targets) {
    const expression = expr.replaceAll('$lab', 'Bench Lab');
    await expect.poll(() => query(expression), { message: expression }).not.toEqual([]);
    const [sample = {}] = await query(expression);
    expect(Object.keys(sample), legendFormat).toEqual(expect.arrayContaining([...findLabels(legendFormat)]));
    for (const selector of findSelectors(expression)) expect(await query(selector), selector).not.toEqual([]);
  }
});

it('the variable of the Grafana dashboard has the names of the labs', async () => {
  const { templating } = z
    .object({ templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.string() })) }) })
    .parse(JSON.parse(await readFile(join(monitoring, 'grafana-dashboard.json'), 'utf8')));
  const variable = templating.list.find(({ name }) => name === 'lab');
  const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(variable?.query ?? '') ?? [];
  const values = async () => (await query(`group by (${label}) (${metric})`)).map((sample) => sample[label]);
  await expect.poll(values).toEqual(['Bench Lab']);
});

it('every series and every label of the alert rules exists', async () => {
  const { groups } = ruleFile.parse(parse(await readFile(join(monitoring, 'rules.yml'), 'utf8')));
  for (const { alert, expr, annotations } of groups.flatMap((group) => group.rules)) {
    const selectors = findSelectors(expr);
    expect(selectors, alert).not.toEqual([]);
    for (const selector of selectors)
      await expect.poll(() => query(selector), { message: `${alert}: ${selector}` }).not.toEqual([]);
    const [sample = {}] = await query(selectors[0] ?? '');
    const labels = Object.values(annotations).flatMap(findLabels);
    expect(Object.keys(sample), alert).toEqual(expect.arrayContaining(labels.filter((label) => label !== 'value')));
  }
});

it('an alert for a manager that is down arrives within 10 s, and resolves when it responds again', async () => {
  await expect.poll(() => query('labmanager_manager_up{manager="resource"} == 1')).toHaveLength(1);
  await lab.faults.setManager('resource', { kind: 'down' });
  const listResourceAlerts = () =>
    alerts
      .filter(({ labels }) => labels['alertname'] === 'LabManagerDown')
      .map(({ status, labels }) => ({ status, ...labels }));
  const down = { status: 'firing', manager: 'resource', lab: 'Bench Lab', severity: 'critical' };
  await expect.poll(listResourceAlerts).toContainEqual(expect.objectContaining(down));
  await lab.faults.setManager('resource', null);
  await expect.poll(() => query('ALERTS{alertname="LabManagerDown"}')).toEqual([]);
});
