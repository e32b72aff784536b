/**
 * The same settings files, environment and options, read by MADSci's classes and by our `loadSettings`: the values
 * agree, except for our numbered decisions.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { loadSettings } from '#server/settings/load/load.ts';
import { makeTempFolder, type TempFolder } from '#server/fixtures/tempFolder.ts';
import { runPython } from '../python.ts';
import type { SettingsCase } from './settingsCase.ts';
import { settingsCases } from './settingsCases.ts';

const realResults = z.array(
  z.union([
    z.object({
      ok: z.literal(true),
      settings: z.record(z.string(), z.unknown()),
      context: z.record(z.string(), z.unknown()),
    }),
    z.object({ ok: z.literal(false), reason: z.string() }),
  ]),
);

/** The value to compare when the settings were refused. */
const refused = 'refused';

let folders: readonly TempFolder[] = [];
let madsciResults: z.infer<typeof realResults> = [];

beforeAll(async () => {
  folders = await Promise.all(
    settingsCases.map(({ files = {} }) =>
      makeTempFolder(Object.fromEntries(Object.entries(files).map(([path, text]) => [`home/${path}`, text]))),
    ),
  );
  madsciResults = realResults.parse(
    await runPython(
      ['settings'],
      settingsCases.map((settingsCase, index) => createRequest(settingsCase, index)),
    ),
  );
});
afterAll(() => Promise.all(folders.map((folder) => folder.remove())));

function resolvePaths({ cwd = 'lab', env = {} }: SettingsCase, index: number) {
  const home = join(folders[index]?.path ?? '', 'home');
  return { home, cwd: join(home, cwd), env: { HOME: home, ...env } };
}

function createRequest(settingsCase: SettingsCase, index: number) {
  const { cwd, env } = resolvePaths(settingsCase, index);
  return { cwd, env, argv: settingsCase.argv ?? [] };
}

/** Returns the compared values by name, or `refused`. */
function madsciResult({ compare }: SettingsCase, index: number): unknown {
  const result = madsciResults[index];
  if (!result?.ok) return refused;
  const { settings, context } = result;
  return Object.fromEntries(compare.map((name) => [name, (isAddress(name) ? context : settings)[name] ?? null]));
}

async function labManagerResult(settingsCase: SettingsCase, index: number): Promise<unknown> {
  const { home, cwd, env } = resolvePaths(settingsCase, index);
  const folder = folders[index];
  if (!folder) throw new Error('The case has no folder');
  const result = await loadSettings(folder.inputs({ cwd, env, homeDir: home, argv: settingsCase.argv ?? [] }));
  if (!result.ok) return refused;
  const { effective, settings } = result;
  const context: Readonly<Record<string, unknown>> = settings.context;
  const value = (name: string) =>
    (isAddress(name) ? context[name] : effective.find((setting) => setting.name === name)?.value) ?? null;
  return Object.fromEntries(settingsCase.compare.map((name) => [name, value(name)]));
}

/** Returns whether the name is an address of `/context`; `server_url` belongs to the lab manager itself. */
function isAddress(name: string): boolean {
  return name.endsWith('_server_url');
}

it('the settings table has at least 60 cases with unique names', () => {
  expect(settingsCases.length).toBeGreaterThanOrEqual(60);
  expect(new Set(settingsCases.map(({ name }) => name)).size).toBe(settingsCases.length);
});

describe.each(settingsCases.map((settingsCase, index) => ({ index, settingsCase, name: settingsCase.name })))(
  'the case “$name”',
  ({ index, settingsCase }) => {
    const { differs, compare } = settingsCase;
    if (differs === undefined) {
      it('is read alike by our lab manager and MADSci', async () => {
        expect(await labManagerResult(settingsCase, index)).toEqual(madsciResult(settingsCase, index));
      });
      return;
    }
    it(`is read differently by our lab manager by decision ${differs.decision}`, async () => {
      const expected = differs.ours === refused ? refused : { [compare[0] ?? '']: differs.ours };
      expect(await labManagerResult(settingsCase, index)).toEqual(expected);
      expect(madsciResult(settingsCase, index)).not.toEqual(expected);
    });
  },
);
