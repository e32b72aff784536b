/** Checks when each alert rule fires and when it does not, with Prometheus’ own promtool. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { repository } from '../support/service.ts';

interface Case {
  readonly title: string;
  readonly alert: string;
  /** Series by their selector, with a value for each 15 s in Prometheus’ notation. */
  readonly series: Readonly<Record<string, string>>;
  readonly evaluatedAt: string;
  /** The labels of the alert that fires, besides those of the lab; `null` if none does. */
  readonly firedLabels: Readonly<Record<string, string>> | null;
}

const lab = { instance: 'lab-pc:8000', job: 'lab-manager', lab: 'Bench Lab' };
const critical = { severity: 'critical' };
const warning = { severity: 'warning' };

const cases: readonly Case[] = [
  {
    title: 'a lab manager that does not respond for a minute',
    alert: 'LabManagerUnreachable',
    series: { up: '1 0x20' },
    evaluatedAt: '90s',
    firedLabels: critical,
  },
  {
    title: 'a lab manager that misses one scrape',
    alert: 'LabManagerUnreachable',
    series: { up: '1 0 1x20' },
    evaluatedAt: '90s',
    firedLabels: null,
  },
  {
    title: 'a manager that is down',
    alert: 'LabManagerDown',
    series: { 'labmanager_manager_up{manager="data"}': '1 0x20' },
    evaluatedAt: '15s',
    firedLabels: { ...critical, manager: 'data' },
  },
  {
    title: 'a manager that is down during its maintenance',
    alert: 'LabManagerDown',
    series: {
      'labmanager_manager_up{manager="data"}': '0x20',
      'labmanager_manager_in_maintenance{manager="data"}': '1x20',
    },
    evaluatedAt: '60s',
    firedLabels: null,
  },
  {
    title: 'a manager that is down during the maintenance of another one',
    alert: 'LabManagerDown',
    series: {
      'labmanager_manager_up{manager="data"}': '0x20',
      'labmanager_manager_in_maintenance{manager="data"}': '0x20',
      'labmanager_manager_in_maintenance{manager="event"}': '1x20',
    },
    evaluatedAt: '60s',
    firedLabels: { ...critical, manager: 'data' },
  },
  {
    title: 'a manager that is slow for ten minutes',
    alert: 'LabManagerSlow',
    series: { 'labmanager_manager_state{manager="data",state="slow"}': '1x60' },
    evaluatedAt: '10m15s',
    firedLabels: { ...warning, manager: 'data', state: 'slow' },
  },
  {
    title: 'a manager that is slow for nine minutes',
    alert: 'LabManagerSlow',
    series: { 'labmanager_manager_state{manager="data",state="slow"}': '1x36 0x20' },
    evaluatedAt: '10m15s',
    firedLabels: null,
  },
  {
    title: 'a safety stop in force',
    alert: 'LabSafetyStop',
    series: { labmanager_safety_stop_active: '0 1x20' },
    evaluatedAt: '15s',
    firedLabels: critical,
  },
  {
    title: 'a stopped node',
    alert: 'LabNodeNeedsAttention',
    series: { 'labmanager_nodes{state="stopped"}': '1x20', 'labmanager_nodes{state="ready"}': '4x20' },
    evaluatedAt: '2m15s',
    firedLabels: { ...warning, state: 'stopped' },
  },
  {
    title: 'busy nodes',
    alert: 'LabNodeNeedsAttention',
    series: { 'labmanager_nodes{state="errored"}': '0x20', 'labmanager_nodes{state="busy"}': '4x20' },
    evaluatedAt: '2m15s',
    firedLabels: null,
  },
  {
    title: 'a workflow that failed',
    alert: 'LabWorkflowFailed',
    series: { 'labmanager_workflows_ended_total{state="failed"}': '0x8 1x20' },
    evaluatedAt: '3m',
    firedLabels: { ...warning, state: 'failed' },
  },
  {
    title: 'a workflow that failed ten minutes ago',
    alert: 'LabWorkflowFailed',
    series: { 'labmanager_workflows_ended_total{state="failed"}': '0x8 1x60' },
    evaluatedAt: '12m',
    firedLabels: null,
  },
  {
    title: 'notifications that are not delivered',
    alert: 'LabNotificationsNotDelivered',
    series: { 'labmanager_notifications_total{result="failed"}': '0x8 3x40' },
    evaluatedAt: '5m',
    firedLabels: { ...warning, result: 'failed' },
  },
  {
    title: 'one notification that was not delivered',
    alert: 'LabNotificationsNotDelivered',
    series: { 'labmanager_notifications_total{result="failed"}': '0x8 1x40' },
    evaluatedAt: '5m',
    firedLabels: null,
  },
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rules-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Adds the labels of all series of the lab to a selector. */
function addLabLabels(selector: string): string {
  const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(selector) ?? [];
  const all = Object.entries(lab).map(([label, value]) => `${label}="${value}"`);
  return `${name}{${[...all, ...(labels === '' ? [] : [labels])].join(',')}}`;
}

const namedCases = cases.map((each) => ({ ...each, result: each.firedLabels === null ? 'does not fire' : 'fires' }));

it.each(namedCases)('$alert $result for $title', async ({ alert, series, evaluatedAt, firedLabels }) => {
  const test = {
    rule_files: [join(repository, 'resources/monitoring/rules.yml')],
    evaluation_interval: '15s',
    tests: [
      {
        interval: '15s',
        input_series: Object.entries(series).map(([selector, values]) => ({ series: addLabLabels(selector), values })),
        alert_rule_test: [{ eval_time: evaluatedAt, alertname: alert, exp_alerts: [] as object[] }],
      },
    ],
  };
  // promtool also compares the texts, which another test checks: without expected alerts, it prints the alert that fires.
  await writeFile(join(folder, 'test.yml'), stringify(test));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', join(folder, 'test.yml')], {
    encoding: 'utf8',
  });
  if (firedLabels === null) return expect(`${stdout}${stderr}`).toContain('SUCCESS');
  expect(status).not.toBe(0);
  const [, firedAlert = ''] = /got:\[([^]*)\]/.exec(`${stdout}${stderr}`) ?? [];
  for (const [label, value] of Object.entries({ ...lab, ...firedLabels }))
    expect(firedAlert).toContain(`${label}="${value}"`);
});
