/**
 * The responses of a simulated shell to its pages. The service's own code handles settings and accounts, with the files of
 * a fake lab; the other responses are fixed sample data.
 */
import { join } from 'node:path';
import { guideEntries } from '#api/guide.ts';
import { errorText } from '#api/errorText.ts';
import { makeTempFolder, type TempFolder } from '#server/fixtures/tempFolder.ts';
import { testToken, testUser, writeAccounts } from '#server/fixtures/testUsers.ts';
import { handleAccountsRequest, type AccountsHost } from '#server/lifecycle/accountRequests.ts';
import { silentLog } from '#server/logging/log.ts';
import { testAddress } from '#server/health/addressTest.ts';
import { SettingsEditSession } from '#server/settings/edit/settingsEditSession.ts';
import type { PageCommand } from '#electron/ipc/commands.ts';
import type { Diagnosis, ShellResponse } from '#electron/ipc/contract.ts';
import type { DeliveriesView, PreferencesView } from '#electron/ipc/settingsContract.ts';
import { timeExamples } from '#electron/settings/settingsTexts.ts';

export type Respond = (request: PageCommand) => ShellResponse | Promise<ShellResponse>;

const home = '/home/labuser';
const lab = 'home/labs/protein-crystallography/workcell-2';

/** A file of each format. Together with the options of `createFakeLab`, the settings have every kind of origin. */
const files: Readonly<Record<string, string>> = {
  [`${lab}/settings.yaml`]: [
    '# The managers of workcell 2',
    'event_server_url: http://events.crystallography.example.org:8001/',
    'data_server_url: None',
    'lab_watch_interval: 10 # seconds',
    'lab_cors_allowed_origins:',
    '  - http://bench-1:8000',
    '  - http://bench-2:8000 # the wall screen',
    '',
  ].join('\n'),
  [`${lab}/settings.toml`]: 'lab_manager_name = "Protein crystallography"\n',
  [`${lab}/settings.json`]: '{\n  "lab_manager_description": "Liquid handling and imaging, building 12"\n}\n',
  [`${lab}/.env`]: 'LAB_NOTIFY_WEBHOOK_URL=https://hooks.example.com/services/T000/B000/XXXXXXXX\nLAB_LOG_LEVEL=LOUD\n',
};

/** A diagnosis with every kind of result. */
const diagnosis: Diagnosis = {
  reports: [
    createReport('names', 'The names of hosts', 'ok', 'All 7 hosts are found'),
    createReport('clocks', 'The clocks', 'unknown', 'events.crystallography.example.org does not say what time it is'),
    createReport(
      'answers',
      'The managers answer',
      'problem',
      '1 of 6: http://lab-pc.crystallography.example.org:8003/ HTTP 503',
    ),
    createReport(
      'disk',
      'Disk space',
      'warning',
      `412 MB are free where the log is (${home}/.config/lab-manager/logs)`,
    ),
  ],
};

function createReport(
  id: string,
  title: string,
  result: Diagnosis['reports'][number]['result'],
  what: string,
): Diagnosis['reports'][number] {
  return {
    id,
    title,
    guide: guideEntries.checks,
    result,
    what,
    why: 'What fails here is missing on the dashboard.',
    whatToDo: 'Look at the log of that program, and start it again.',
    tookMs: 40,
  };
}

const deliveries: DeliveriesView = {
  webhooks: [
    {
      channel: 'https://hooks.example.com/…',
      waiting: 2,
      delivered: null,
      failure: {
        at: '2026-01-15T12:00:00.000Z',
        reason: 'HTTP 308: the receiver moved permanently to https://new.example.com/…',
      },
    },
  ],
  desktop: { enabled: true, supported: true, mutedUntil: null, shownAt: null, failure: null },
};

/** Returns a new object per lab, because a page may change it. */
function startingPreferences(): PreferencesView {
  return {
    startAtLogin: true,
    loginNote: null,
    startHidden: true,
    closeWindow: 'tray',
    notifications: true,
    theme: 'system',
    times: 'dashboard',
    timeExamples: timeExamples((choice) => (choice === 'dashboard' ? null : choice === 'system' ? 'en-GB' : choice)),
    remembered: { closeWithoutTray: 'minimize', trayNoteShown: true, window: true },
    labFolder: `${home}/labs/protein-crystallography/workcell-2`,
    labFolderNote: null,
    followedUrl: null,
    file: `${home}/.config/lab-manager/preferences.json`,
  };
}

/** Some users and API tokens, in a folder whose settings are valid. */
async function createFakeAccounts(folder: TempFolder): Promise<AccountsHost> {
  const inputs = folder.inputs({ cwd: null, env: { LAB_REMOTE_ACCESS: 'operate' } });
  await writeAccounts(join(folder.path, 'home/.local/state/lab-manager/users-8010.json'), {
    users: [
      testUser('ann', 'administrator', 'a long password'),
      testUser('bob', 'operator', 'a long password'),
      testUser('wall-screen-2', 'viewer', 'a long password'),
    ],
    tokens: [testToken('robot-scripts', 'operator', 'lmt_played')],
  });
  return { inputs, port: 8010, log: silentLog };
}

/** @param labFiles other files of the lab, by name */
export async function createFakeLab(
  labFiles: Readonly<Record<string, string>> = files,
): Promise<{ respond: Respond; remove: () => Promise<void> }> {
  const folder = await makeTempFolder(labFiles);
  const session = new SettingsEditSession();
  const inputs = folder.inputs({
    cwd: null,
    labFolder: `${folder.path}/${lab}`,
    env: { LAB_LISTEN_HOST: '127.0.0.1' },
    argv: ['--lab-listen-port=8010'],
    commandLine: 'desktop',
  });
  const accounts = await createFakeAccounts(folder);
  const preferences = startingPreferences();
  const handle = async (message: PageCommand): Promise<unknown> => {
    switch (message.command) {
      case 'settings':
        return session.handle(inputs, message.request);
      case 'accounts':
        return handleAccountsRequest(accounts, message.request);
      case 'preferences':
        return preferences;
      case 'prefer':
        return void Object.assign(preferences, message.changes);
      case 'test-notifications':
        return [
          { address: 'https://hooks.example.com/…', problem: null },
          { address: 'https://hooks.example.com/…', problem: 'HTTP 404' },
          { address: 'https://chat.crystallography.example.org/…', problem: 'HTTP 403' },
        ];
      case 'deliveries':
        return deliveries;
      case 'diagnose':
        return diagnosis;
      case 'test-address':
        return message.url === 'None'
          ? testAddress(message.manager, message.url)
          : { ok: false, text: 'connection refused', url: null };
      default:
        return null;
    }
  };
  return {
    respond: async (request) => {
      try {
        const value = JSON.stringify((await handle(request)) ?? null).replaceAll(`${folder.path}/home`, home);
        return { ok: true, value: JSON.parse(value) as unknown };
      } catch (error) {
        const text = errorText(error);
        return { ok: false, error: text.replaceAll(`${folder.path}/home`, home) };
      }
    },
    remove: () => folder.remove(),
  };
}
