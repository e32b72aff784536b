/**
 * Fuzz tests of the parsers: every text must end in keys or in a message. The inputs are a corpus of texts that broke
 * parsers, and random texts of each format's special characters.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testBudget } from '#api/fixtures/testBudget.ts';
import { settingsFiles, type FileFormat, type SettingsFile } from './discovery.ts';
import { readEnvironment } from './commandLine.ts';
import { maxFileBytes, readSettingsFile } from './files.ts';
import { loadSettings } from '../load/load.ts';
import { formatProblem } from './problem.ts';
import { hostileTexts, type HostileTexts } from '../../fixtures/hostileSettings.ts';
import { makeTempFolder } from '../../fixtures/tempFolder.ts';

/** Loads a lab with one file of the format. */
async function read(format: FileFormat, text: string) {
  await using folder = await makeTempFolder({ 'home/lab/.git/': '' });
  await folder.write({ [`home/lab/${ownFile(format).name}`]: text });
  const result = await loadSettings(folder.inputs());
  return { result, problems: result.ok ? result.warnings : [...result.problems, ...result.warnings] };
}

function ownFile(format: FileFormat): SettingsFile {
  const file = settingsFiles.find((candidate) => candidate.format === format && candidate.group === 'lab');
  if (!file) throw new Error(`No settings file of the format ${format}`);
  return file;
}

describe.each(Object.entries(hostileTexts(testBudget(maxFileBytes / 4, maxFileBytes))) as [FileFormat, HostileTexts][])(
  'hostile %s files',
  (format, texts) => {
    // `npm run bench -- parts` shows that the time is proportional to the length.
    it.each(texts)('result in a message or in keys: %s', async (_name, text) => {
      const { problems } = await read(format, text);
      expect(problems.length).toBeLessThan(100);
      for (const problem of problems) expect(formatProblem(problem).length).toBeLessThan(2000);
      expect(problems.map(({ message }) => message).join()).not.toMatch(/call stack|undefined/);
    });
  },
);

describe('messages about hostile files', () => {
  it.each([
    ['a cycle', 'yaml', 'lab_manager_name: &a [*a]', /settings\.yaml:1:23: the alias \*a is part of its own value/],
    ['nested YAML', 'yaml', `a: ${'['.repeat(1000)}`, /settings\.yaml:1:104: lists or mappings are nested too deeply/],
    ['nested JSON', 'json', `{"a":${'['.repeat(3000)}`, /settings\.json:1:105: lists or objects are nested too deeply/],
    ['nested TOML', 'toml', `a=${'['.repeat(1000)}`, /settings\.toml:1:\d+: not valid TOML: .*nested/],
    [
      'a value that doubles',
      'dotenv',
      `A=xxxxxxxx\n${'A=${A}${A}\n'.repeat(20)}`,
      /lab\.env:15:1: A: its value is longer than 65536 characters/,
    ],
    ['a long value', 'dotenv', `LAB_MANAGER_NAME=${'x'.repeat(9000)}`, /is longer than 8192 characters/],
    [
      'a large file',
      'yaml',
      `#${' '.repeat(3 * 1024 * 1024)}`,
      /this file has 3,073 KiB, more than a settings file may have \(256 KiB\)/,
    ],
    [
      'terminal sequences',
      'yaml',
      'lab_manager_name: "\\e]0;owned\\a"\n"lab_\\e[2Jx": 1\nlab_log_level: "\\u202E\\x9b31m"',
      /lab_log_level = "": is not a logging level/,
    ],
  ] as const)('describe %s in the program’s own terms', async (_name, format, text, expected) => {
    const { problems } = await read(format, text);
    const messages = problems.map((problem) => formatProblem(problem));
    expect(messages.join('\n')).toMatch(expected);
    expect(messages.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it('hide a password where a long value is truncated inside it', async () => {
    const { problems } = await read('yaml', `event_server_url: "http://me:${'hunter2'.repeat(300)}@lab-pc/"`);
    expect(problems.map((problem) => formatProblem(problem)).join('\n')).not.toContain('hunter2');
  });
});

const keywords: Readonly<Record<FileFormat, readonly string[]>> = {
  yaml: [
    '[',
    ']',
    '{',
    '}',
    '- ',
    '? ',
    ': ',
    '&a ',
    '*a',
    '<<',
    '"',
    "'",
    '|\n',
    '>-\n',
    '#',
    '\n',
    ' ',
    '  ',
    '!',
    '%',
    '---',
    ',',
  ],
  toml: [
    '[',
    ']',
    '[[',
    ']]',
    '{',
    '}',
    '=',
    '"',
    '"""',
    "'",
    "'''",
    '\\',
    '#',
    '\n',
    ' ',
    '.',
    ',',
    '1',
    '1979-05-27',
  ],
  json: ['[', ']', '{', '}', ':', ',', '"', '\\', '\\u', '1e', '-', 'null', '\n', ' ', '\u0001'],
  dotenv: ['=', '"', "'", '\\', '${', '}', ':-', '#', ' #', 'export ', '\n', '\r', ' ', '\t'],
};
const names = ['lab_manager_name', 'lab_listen_port', 'LAB_LOG_LEVEL', 'event_server_url', 'a', '__proto__'];

it.each(Object.keys(keywords) as FileFormat[])(
  'any %s text is read or rejected',
  { timeout: 60_000 },
  async (format) => {
    const file = ownFile(format);
    await using folder = await makeTempFolder();
    const part = fc.oneof(fc.constantFrom(...keywords[format], ...names), fc.string({ unit: 'binary', maxLength: 3 }));
    const text = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, async (randomText) => {
        await folder.write({ [file.name]: randomText });
        const { layer, problems } = await readSettingsFile(
          { ...file, place: 'lab', path: `${folder.path}/${file.name}` },
          {},
        );
        for (const problem of problems) expect(formatProblem(problem)).not.toMatch(/[\p{Cc}\n]/u);
        expect(problems.length).toBeLessThan(25);
        expect(layer.every(({ origin }) => origin.line === null || origin.line >= 1)).toBe(true);
      }),
      { numRuns: testBudget(60, 400) },
    );
  },
);

it('any bytes are read or rejected', async () => {
  await using folder = await makeTempFolder();
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...settingsFiles), async (bytes, file) => {
      await folder.write({ [file.name]: bytes });
      const { problems } = await readSettingsFile({ ...file, place: 'lab', path: `${folder.path}/${file.name}` }, {});
      for (const problem of problems) expect(formatProblem(problem)).not.toMatch(/[\p{Cc}\n]/u);
    }),
    { numRuns: testBudget(60, 300) },
  );
});

it('any environment is read or rejected', async () => {
  await using folder = await makeTempFolder();
  const name = fc.constantFrom(
    'LAB_MANAGER_NAME',
    'LAB_CORS_ALLOWED_ORIGINS',
    'LAB_RATE_LIMIT_EXEMPT_IPS',
    'LAB_LISTEN_PORT',
    'EVENT_SERVER_URL',
    'LAB_DASHBOARD_FILES_PATH',
    'LAB_X',
  );
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.constantFrom('['.repeat(100_000), '1'.repeat(100_000), 'a'.repeat(100_000), `1${' '.repeat(100_000)}x`),
  );
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, value), async (env) => {
      expect(readEnvironment(env).candidates.length).toBeLessThanOrEqual(7);
      const result = await loadSettings(folder.inputs({ env }));
      const problems = result.ok ? result.warnings : result.problems;
      for (const problem of problems) expect(formatProblem(problem)).not.toMatch(/[\p{Cc}\n]/u);
    }),
    { numRuns: testBudget(40, 200) },
  );
});
