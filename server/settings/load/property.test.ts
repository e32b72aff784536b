/**
 * Compares the settings of random labs with a simple model of their precedence. The model shares no code with
 * discovery, merging or the table of settings: it applies the documented rules in their order.
 */
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { testBudget } from '#api/fixtures/testBudget.ts';
import { loadSettings } from './load.ts';
import { makeTempFolder } from '../../fixtures/tempFolder.ts';

const keys = [
  'manager_name',
  'lab_manager_name',
  'watch_interval',
  'lab_watch_interval',
  'server_url',
  'lab_server_url',
  'event_server_url',
  'lab_event_server_url',
  'unknown_key',
] as const;
const rankedFormats = ['yaml', 'toml', 'json', 'env'] as const;
const stems = ['', 'lab', 'context'] as const;

function fileName(format: (typeof rankedFormats)[number], stem: (typeof stems)[number]): string {
  if (format === 'env') {
    return stem === '' ? '.env' : `${stem}.env`;
  }
  return stem === '' ? `settings.${format}` : `${stem}.settings.${format}`;
}

const anyFile = fc.record({
  place: fc.oneof(fc.nat({ max: 13 }), fc.constantFrom('managers', 'config', 'user')),
  format: fc.constantFrom(...rankedFormats),
  stem: fc.constantFrom(...stems),
  entries: fc.uniqueArray(fc.record({ key: fc.constantFrom(...keys), gap: fc.nat({ max: 2 }), upper: fc.boolean() }), {
    selector: (entry) => entry.key,
    minLength: 1,
    maxLength: 4,
  }),
});

const anyWorld = fc.record({
  depth: fc.integer({ min: 1, max: 14 }),
  homeLevel: fc.option(fc.nat({ max: 13 }), { freq: 3 }),
  marks: fc.array(
    fc.record({
      level: fc.nat({ max: 13 }),
      mark: fc.constantFrom('.git', '.git/', '.madsci', '.madsci/'),
    }),
    { maxLength: 1 },
  ),
  files: fc.array(anyFile, { maxLength: 14 }),
  directories: fc.array(anyFile, { maxLength: 2 }),
  env: fc.uniqueArray(
    fc.constantFrom('LAB_MANAGER_NAME', 'lab_manager_name', 'Lab_Server_Url', 'EVENT_SERVER_URL', 'MANAGER_NAME'),
    { maxLength: 2 },
  ),
  overrides: fc.uniqueArray(fc.constantFrom('manager_name', 'watch_interval', 'event_server_url'), { maxLength: 1 }),
  options: fc.array(
    fc.constantFrom(
      '--lab-manager-name',
      '--manager_name',
      '--server_url',
      '--event-server-url',
      '--lab-watch-interval',
    ),
    { maxLength: 2 },
  ),
  startBy: fc.constantFrom('cwd', 'option', 'argument', 'variable', 'folder'),
});

interface ExpectedValue {
  readonly value: unknown;
  readonly source: string;
  readonly name: string | null;
  readonly path: string | null;
  readonly line: number | null;
}

let counter = 0;

/** A valid value that occurs nowhere else. */
function valueFor(key: string): string | number {
  counter += 1;
  const name = key.toLowerCase().replaceAll('-', '_');
  if (name.includes('interval')) {
    return (counter % 3599) + 1;
  }
  return name.includes('url') ? `http://h${counter}:1/` : `name ${counter}`;
}

interface Line {
  readonly key: string;
  readonly value: string | number;
  readonly line: number;
}

/** A file's text and the line of each of its keys. */
function compose(file: typeof anyFile extends fc.Arbitrary<infer F> ? F : never): { text: string; lines: Line[] } {
  const json = file.format === 'json';
  const text: string[] = json ? ['{'] : [];
  const lines: Line[] = [];
  for (const [index, { key: lowerCaseKey, gap, upper }] of file.entries.entries()) {
    const key = file.format === 'env' && upper ? lowerCaseKey.toUpperCase() : lowerCaseKey;
    const value = valueFor(key);
    text.push(...Array.from({ length: gap }, () => (json ? '' : '# a comment')));
    const serialized = JSON.stringify(value);
    const statement = {
      json: `${JSON.stringify(key)}: ${serialized}${index < file.entries.length - 1 ? ',' : ''}`,
      yaml: `${key}: ${serialized}`,
      toml: `${key} = ${serialized}`,
      env: `${key}=${serialized}`,
    }[file.format];
    text.push(statement);
    lines.push({ key, value, line: text.length });
  }
  return { text: [...text, ...(json ? ['}'] : [])].join('\n'), lines };
}

/** The setting of a file's key, by its spelling, and whether it has the prefix. */
function parseKey(key: string, stem: string): readonly [setting: string, prefixed: boolean] | null {
  const name = key.toLowerCase();
  if (name === 'event_server_url') {
    return [name, false];
  }
  if (stem === 'context') {
    return name === 'lab_server_url' ? ['lab_server_url', false] : null;
  }
  const bare = name.replace(/^lab_/, '');
  return ['manager_name', 'watch_interval', 'server_url'].includes(bare) ? [bare, bare !== name] : null;
}

it(
  'settings in any lab are loaded according to the precedence rules, with their origins',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(anyWorld, async (world) => {
        await using folder = await makeTempFolder({ '.git/': '', 'user/': '', 'elsewhere/': '' });
        const root = folder.path;
        // The first level is the start directory, the last one the root of the folder, which has a `.git`.
        const names = Array.from({ length: world.depth }, (_, index) => `d${index}`);
        const levels = [...names.map((_, index) => join(root, ...names.slice(0, index + 1))).toReversed(), root];
        const start = levels[0] ?? root;
        const home =
          world.homeLevel === null ? join(root, 'elsewhere') : (levels[world.homeLevel] ?? join(root, 'elsewhere'));
        const findDirectory = (place: number | string): string =>
          place === 'user'
            ? join(root, 'user')
            : typeof place === 'string'
              ? join(start, place)
              : (levels[place] ?? start);
        const relative = (path: string): string => path.slice(root.length + 1);

        const marks = world.marks.flatMap(({ level, mark }) => {
          const dir = levels[level];
          return dir === undefined || dir === root ? [] : [{ dir, mark }];
        });
        await folder.write({ [`${relative(start)}/`]: '' });
        await folder.write(Object.fromEntries(marks.map(({ dir, mark }) => [`${relative(dir)}/${mark}`, ''])));
        const disk = new Map<string, { readonly stem: string; readonly format: string; readonly lines: Line[] }>();
        for (const file of world.files) {
          const path = join(findDirectory(file.place), fileName(file.format, file.stem));
          const { text, lines } = compose(file);
          disk.set(path, { stem: file.stem, format: file.format, lines });
          await folder.write({ [relative(path)]: text });
        }
        for (const file of world.directories) {
          const path = join(findDirectory(file.place), fileName(file.format, file.stem));
          if (!disk.has(path)) {
            await folder.write({ [`${relative(path)}/`]: '' });
          }
        }

        // --- the model ---
        const walk: string[] = [];
        for (const dir of levels.slice(0, 11)) {
          walk.push(dir);
          const marked = marks.some((mark) => mark.dir === dir && mark.mark !== '.madsci');
          if (dir === home || marked) {
            break;
          }
        }
        const searched = [...walk, join(start, 'managers'), join(start, 'config')];
        const expected: Record<string, ExpectedValue> = {};
        const defaultOrigin = { source: 'default', name: null, path: null, line: null };
        expected['manager_name'] = { value: null, ...defaultOrigin };
        expected['watch_interval'] = { value: 5, ...defaultOrigin };
        expected['server_url'] = { value: 'http://localhost:8000/', ...defaultOrigin };
        expected['event_server_url'] = { value: 'http://localhost:8001/', ...defaultOrigin };
        expected['lab_server_url'] = { value: 'http://localhost:8000/', ...defaultOrigin };
        const expectValue = (setting: string, value: ExpectedValue): void => {
          expected[setting] = value;
          if (setting === 'server_url') {
            expected['lab_server_url'] = value;
          }
        };
        // Lowest priority first: later ones overwrite earlier ones.
        for (const dirs of [[join(root, 'user')], searched]) {
          for (const format of rankedFormats) {
            for (const stem of stems) {
              const path = dirs
                .map((dir) => join(dir, fileName(format, stem)))
                .find((candidate) => disk.has(candidate));
              const lines = path === undefined ? [] : (disk.get(path)?.lines ?? []);
              for (const prefix of [false, true]) {
                for (const { key, value, line } of lines) {
                  const [setting, prefixed] = parseKey(key, stem) ?? [];
                  if (setting !== undefined && prefixed === prefix) {
                    expectValue(setting, {
                      value,
                      source: format === 'env' ? 'dotenv' : format,
                      name: key,
                      path: path ?? null,
                      line,
                    });
                  }
                }
              }
            }
          }
        }
        const outside = { path: null, line: null };
        const env = Object.fromEntries(world.env.map((name) => [name, String(valueFor(name))]));
        for (const [name, value] of Object.entries(env)) {
          const setting = {
            lab_manager_name: 'manager_name',
            lab_server_url: 'server_url',
            event_server_url: 'event_server_url',
          }[name.toLowerCase()];
          if (setting !== undefined) {
            expectValue(setting, { value, source: 'environment', name, ...outside });
          }
        }
        const overrides = Object.fromEntries(world.overrides.map((name) => [name, valueFor(name)]));
        for (const [name, value] of Object.entries(overrides)) {
          expectValue(name, { value, source: 'argument', name, ...outside });
        }
        const argv = world.options.map((option) => [option, valueFor(option)] as const);
        for (const [option, value] of argv) {
          const setting = option.replace(/^--(lab-)?/, '').replaceAll('-', '_');
          expectValue(setting, { value, source: 'command line', name: option, ...outside });
        }
        // --- the end of the model ---

        const otherDirectory = join(root, 'elsewhere');
        const result = await loadSettings({
          argv: [
            ...argv.flatMap(([option, value]) => [option, String(value)]),
            ...(world.startBy === 'option' ? ['--settings-dir', start] : []),
          ],
          env: { ...env, ...(world.startBy === 'variable' ? { MADSCI_SETTINGS_DIR: start } : {}) },
          overrides,
          ...(world.startBy === 'argument' ? { settingsDir: start } : {}),
          ...(world.startBy === 'folder' ? { labFolder: start } : {}),
          cwd: world.startBy === 'cwd' ? start : otherDirectory,
          homeDir: home,
          userConfigDir: join(root, 'user'),
          commandLine: 'headless',
        });
        if (!result.ok) {
          throw new Error(JSON.stringify(result.problems));
        }
        const actual = Object.fromEntries(
          result.effective
            .filter(({ name }) => name in expected)
            .map(({ name, value, origin }): [string, ExpectedValue] => [
              name,
              { value, source: origin.source, name: origin.name, path: origin.path, line: origin.line },
            ]),
        );
        expect(actual).toEqual(expected);
        expect(result.settings.context.lab_server_url).toBe(expected['lab_server_url'].value);
        expect(result.settings.serverUrl).toBe(expected['server_url'].value);
      }),
      // Reading files takes several times as long under Wine.
      { numRuns: testBudget(50, process.platform === 'win32' ? 50 : 250) },
    );
  },
);
