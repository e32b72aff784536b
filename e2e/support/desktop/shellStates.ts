/**
 * Extreme contents of the shell's pages: long paths and reasons, many problems, a safety stop with every result. The
 * app's own functions build them, so that all texts are real.
 */
import type { StoppedNode } from '#api/commandRecord.ts';
import type { StopState } from '#api/safetyStop/safetyStop.ts';
import { unidentifiedText } from '#api/lab/followedLab.ts';
import { withNode, type LabStop } from '#api/safetyStop/labStop.ts';
import {
  attachedStatus,
  labStatus,
  now,
  portInUseStatus,
  runningStatus,
  usualWindow,
} from '#electron/fixtures/states.ts';
import type { Notice, ShellPage, ShellState, StopView } from '#electron/ipc/contract.ts';
import { createMaintenancePage } from '#electron/maintenance/maintenanceView.ts';
import { createNotices } from '#electron/notifications/notices.ts';
import type { StopReport } from '#electron/safetyStop/safetyStop.ts';
import { createStopView } from '#electron/safetyStop/stopView.ts';
import { settingsNote } from '#electron/settings/settingsTexts.ts';
import { type WindowInput, createWindowView } from '#electron/windows/windowView.ts';
import { makeProblem } from '#server/settings/parse/problem.ts';
import type { SettingsProblem } from '#server/settings/schema/types.ts';
import type { ServiceStatus } from '#server/status.ts';

const home = '/home/labuser';
const settings = `${home}/labs/protein-crystallography/workcell-2/settings.yaml`;
const logFile = `${home}/.config/lab-manager/logs/lab-manager.log`;
const refusedReason = 'Failed to connect: connection refused';

function createPage(changes: Partial<WindowInput>): ShellPage {
  const target = createWindowView({ ...usualWindow, logFile, ...changes });
  if (target.kind !== 'page') throw new Error(`The window shows ${target.kind}, not a page of the shell`);
  return target.page;
}

function portInUse(kind: 'ours' | 'madsci' | 'unknown'): ServiceStatus {
  const isMadsci = kind === 'madsci';
  return portInUseStatus({
    portOwner: {
      kind,
      url: 'http://localhost:8000/',
      version: isMadsci ? '0.8.1' : null,
      name: isMadsci ? 'Example Lab' : null,
      process: '4121 python -m madsci.squid',
    },
    portSetting: 'server_url',
    serverUrl: 'http://localhost:8000/',
    interfaces: ['192.0.2.17', '2001:db8::17'],
    freePort: 8010,
    settingsTarget: `${home}/.config/lab-manager/lab.settings.yaml`,
  });
}

const createError = (known: Partial<SettingsProblem> & Pick<SettingsProblem, 'message'>): SettingsProblem =>
  makeProblem({ severity: 'error', source: 'yaml', path: settings, ...known });
const problems: readonly SettingsProblem[] = [
  createError({
    key: 'lab_server_url',
    value: 'ftp://lab-pc.crystallography.example.org:8000/api',
    line: 12,
    column: 17,
    message: 'has the scheme ftp, not http or https',
    expected: 'an address such as http://localhost:8000',
  }),
  createError({
    key: 'lab_log_level',
    value: 'LOUD',
    line: 31,
    column: 16,
    message: 'is not one of the levels',
    expected: 'DEBUG, INFO, WARNING, ERROR or CRITICAL',
  }),
  makeProblem({
    severity: 'error',
    source: 'environment',
    key: 'LAB_LISTEN_PORT',
    value: '80000',
    message: 'is larger than 65535',
    expected: 'a whole number from 1 to 65535',
  }),
];

const noneHealthy = labStatus('down', {
  event: { state: 'unreachable', reason: `${refusedReason} (lab-pc:8001)` },
  experiment: { state: 'unreachable', reason: `${refusedReason} (lab-pc:8002)` },
  resource: {
    state: 'unhealthy',
    reason: 'The database at postgresql://resources.crystallography.example.org:5432/resources refuses connections',
  },
  data: { state: 'unreachable', reason: `${refusedReason} (lab-pc:8004)` },
  workcell: { state: 'slow', reason: 'answers in 2.4 s' },
  location: { state: 'unreachable', reason: `${refusedReason} (lab-pc:8006)` },
});
const maintenance = { from: new Date(now - 3_600_000).toISOString(), until: new Date(now + 3_600_000).toISOString() };
const crash = {
  reason: 'It ended with exit code 134: JavaScript heap out of memory',
  exitCode: 134,
  crashes: 4,
  isCrashingRepeatedly: true,
  nextRetryAt: now + 42_000,
};
const logLines = [
  '2026-01-15T12:58:41.120Z INFO  service: Listening on http://0.0.0.0:8000/',
  '2026-01-15T12:59:20.007Z ERROR watch: The answer of http://lab-pc.crystallography.example.org:8003/health could not be read: unexpected token < at the start of a text of 65536 characters',
  '2026-01-15T12:59:58.512Z ERROR service: JavaScript heap out of memory',
];

/** The names of the lab and its machine, as the shell shows them. */
const labName = 'Protein Crystallography on bench-7';

/** Every page of the shell, in the order in which a user may see it. */
export const shellPages = {
  starting: { page: 'starting', message: 'Looking for the managers of your lab' },
  'first-screen': createPage({
    status: runningStatus({
      configured: false,
      settingsTarget: `${home}/.config/lab-manager/lab.settings.yaml`,
    }),
    lab: { ...noneHealthy, healthy_managers: 0 },
  }),
  'settings-error': createPage({
    status: { phase: 'settings-error', problems, warnings: [] },
    labFolder: `${home}/labs`,
  }),
  'port-taken': createPage({ status: portInUse('madsci') }),
  'port-taken-unknown': createPage({ status: portInUse('unknown') }),
  'port-taken-owner': createPage({
    status: portInUse('ours'),
    otherOwner: {
      account: 'lena',
      settingsFile: '/home/lena/labs/protein-crystallography/workcell-2/settings.yaml',
      ownSettingsFile: settings,
    },
  }),
  failed: createPage({ status: { phase: 'starting' }, lastCrash: crash, failedSince: now - 60_000, logLines }),
  'failed-other': createPage({
    status: { phase: 'failed', reason: 'http://lab-pc.crystallography.example.org:8000/ does not answer: timed out' },
    failedSince: now - 60_000,
    followedUrl: 'http://lab-pc.crystallography.example.org:8000/',
  }),
  'service-lost': createPage({
    status: attachedStatus({ lost: { since: now - 60_000, reason: 'connection refused (127.0.0.1:8000)' } }),
  }),
  lab: createPage({
    status: runningStatus({
      dashboard: 'none',
      dashboardOrigin: {
        source: 'yaml',
        name: 'lab_dashboard_files_path',
        file: 'settings.yaml',
        line: 14,
        path: settings,
      },
    }),
    lab: noneHealthy,
  }),
  maintenance: createMaintenancePage({
    status: runningStatus(),
    lab: {
      ...noneHealthy,
      maintenance: [
        { kind: 'manager', id: 'data', name: 'Data Manager', ...maintenance },
        {
          kind: 'node',
          id: 'crystallography_incubator_with_a_long_name',
          name: 'crystallography_incubator_with_a_long_name',
          ...maintenance,
        },
      ],
      planned_maintenance: [
        {
          kind: 'manager',
          id: 'event',
          name: 'Event Manager',
          every: { days: ['Sun'], at: '02:00', minutes: 60 },
          from: new Date(now + 50 * 3_600_000).toISOString(),
          until: new Date(now + 51 * 3_600_000).toISOString(),
        },
      ],
    },
    nodes: ['liquidhandler_1', 'robotarm_1'],
    mutes: { mutedUntil: now + 3_600_000, mutedSubjects: { 'node robotarm_1': now + 7_200_000 } },
    now,
  }),
  'maintenance-elsewhere': createMaintenancePage({
    status: attachedStatus(),
    lab: noneHealthy,
    nodes: [],
    mutes: { mutedUntil: null, mutedSubjects: {} },
    now,
  }),
  about: {
    page: 'about',
    version: '0.1.0',
    runtime: [
      { name: 'Electron', version: '45.4.1' },
      { name: 'Chromium', version: '150.0.7871.24' },
      { name: 'Node', version: '24.4.1' },
    ],
    isFallbackRuntime: true,
    addresses: ['http://127.0.0.1:8000/', 'http://lab-pc.crystallography.example.org:8000/'],
    publicUrls: ['http://lab-pc.crystallography.example.org:8000/', 'http://192.0.2.17:8000/'],
    paths: [
      { name: 'Settings', path: `${home}/.config/lab-manager` },
      { name: 'Logs', path: `${home}/.config/lab-manager/logs` },
    ],
    licences: 'MIT License\n\nPermission is hereby granted, free of charge\n'.repeat(40),
  },
  connect: {
    page: 'connect',
    shown: labName,
    followedUrl: 'http://lab-pc.crystallography.example.org:8000/',
  },
  diagnostics: { page: 'diagnostics' },
  folder: { page: 'folder' },
  stop: { page: 'stop' },
  settings: {
    page: 'settings',
    revision: 1,
    note: settingsNote({
      status: runningStatus(),
      showsDemo: false,
      followedUrl: 'http://lab-pc.crystallography.example.org:8000/',
    }),
  },
} as const satisfies Readonly<Record<string, ShellPage>>;
export type ShellPageName = keyof typeof shellPages;

function createNode(name: string, result: StopState, changes: Partial<StoppedNode> = {}): StoppedNode {
  return { name, workcell: '', result, reason: '', did: [], before: [], ...changes };
}
const emptyStop: LabStop = {
  id: null,
  at: new Date(now).toISOString(),
  machine: null,
  application: null,
  nodes: [],
  sending: true,
};
const stop: StopReport = {
  lab: labName,
  releasableCount: 2,
  canRelease: true,
  stop: [
    createNode('liquidhandler_1', 'confirmed', { did: ['safety_stop'] }),
    createNode('liquidhandler_2', 'held', { did: ['lock', 'cancel'], now: { state: 'locked', flags: ['busy'] } }),
    createNode('platereader_1', 'sent', { attempts: 2 }),
    createNode('robotarm_1', 'refused', {
      reason: 'the arm is in teach mode, and takes commands from its pendant only',
      attempts: 3,
    }),
    createNode('crystallography_incubator_with_a_long_name', 'failed', {
      reason: 'timed out after 10 s (incubator.crystallography.example.org:2005)',
      attempts: 3,
    }),
  ].reduce(withNode, emptyStop),
};

/** A lab with nodes, none of them stopped. */
const noStop: StopView = createStopView(labName, 5, null, now);
/** The window that the tray opens. */
const question: NonNullable<StopView['question']> = {
  key: 'bench-7',
  nodes: stop.stop.nodes.map(({ name }) => name),
  nodesWithoutStop: ['crystallography_incubator_with_a_long_name', 'liquidhandler_2'],
  warning: null,
};
const machineWarning = unidentifiedText({ url: 'http://127.0.0.1:9000/' });
/** A safety stop with every possible result. */
const stopWithAllResults: StopView = createStopView(labName, 5, stop, now);

const updateNotice: Notice = {
  id: 'update',
  severity: 'attention',
  text: 'Version 2.0.0 of Lab Manager is downloading.',
  action: 'Cancel download',
  progress: 41,
  isClosable: true,
};

/** All notices that can be shown at once. */
const appNotices: readonly Notice[] = createNotices({
  lab: null,
  status: runningStatus({ problems, restartNeeded: ['lab_server_url', 'lab_listen_port'] }),
  unresponsiveSince: null,
  folders: [
    {
      path: `${home}/.config/lab-manager`,
      use: 'Settings and the position of the window',
      reason: 'writing there is not permitted',
    },
  ],
  files: [],
  labFolder: { path: `${home}/labs/protein-crystallography/workcell-2`, problem: 'contains no settings of a lab' },
  errors: ['Cannot read properties of undefined (reading ‘webContents’)'],
  isReplaced: true,
  disk: { limit: 'warning', folders: [{ use: 'log', path: `${home}/.config/lab-manager/logs`, free: 432_013_312 }] },
  stop,
  choice: { label: 'Cell culture on culture-pc', failure: { reason: 'no response within 5 s', at: now } },
  logDir: `${home}/.config/lab-manager/logs`,
  now,
});
const allNotices: readonly Notice[] = [...appNotices, updateNotice];

/**
 * Returns the state of a page.
 * @param level `quiet`: no notices and no nodes; `nodes`: nodes that are not stopped; `all`: all notices and a safety stop
 */
export function createShellState(name: ShellPageName, level: 'quiet' | 'nodes' | 'all' = 'quiet'): ShellState {
  const shown = shellPages[name];
  if (level === 'quiet') return { page: shown, notices: [], stop: createStopView(labName, 0, null, now) };
  const isStopWindow = name === 'stop';
  if (level === 'nodes') return { page: shown, notices: [], stop: { ...noStop, ...(isStopWindow && { question }) } };
  const warnedQuestion = { ...question, warning: machineWarning };
  return {
    page: shown,
    notices: [...allNotices],
    stop: { ...stopWithAllResults, ...(isStopWindow && { question: warnedQuestion }) },
  };
}
