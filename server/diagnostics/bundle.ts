/**
 * Collects the files of the bundle with their texts, from which secrets are removed, and writes them as one ZIP file that
 * only its owner can open; on Windows it has the permissions of its folder.
 */
import { open } from 'node:fs/promises';
import { arch, release, type as systemName } from 'node:os';
import { stringifyExactJson } from '../../api/exactJson.ts';
import { readCrashes } from '../storage/crashFile.ts';
import { formatProblem } from '../settings/parse/problem.ts';
import type { SettingsInputs, SettingsResult } from '../settings/schema/types.ts';
import type { CheckReport } from '../../api/diagnostics.ts';
import type { CheckContext } from './checks/check.ts';
import { doctorText, serviceText } from './doctor.ts';
import { logFilesIn, type LogFile } from './checks/disk.ts';
import { isSecretName, redacted, redactText, redactValue, secretPartsOfAddress } from '../logging/redact.ts';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { Zip, ZipDeflate } from 'fflate';
import { clock } from '../../api/time/clock.ts';
import { errorCode, errorText } from '../../api/errorText.ts';
import { replaceOwnFile } from '../storage/replaceOwnFile.ts';
import { writeFailure } from '../storage/writeAccess.ts';

export interface BundleFile {
  /** Its path in the archive. */
  readonly name: string;
  /** The description in the displayed list. */
  readonly what: string;
  readonly text: string;
}

export interface BundleSources {
  readonly context: CheckContext;
  readonly settingsResult: SettingsResult;
  readonly inputs: SettingsInputs;
  readonly reports: readonly CheckReport[];
  /** The version of this program. */
  readonly version: string;
  /** ms since the epoch. */
  readonly now: number;
}

/** Maximum size of each log in bytes, of which the end is kept; and the maximum number of logs, newest first. */
const maxLogBytes = 5 * 1024 * 1024;
const maxLogs = 10;
/** A line of this program has at most 16,000 characters; longer ones are truncated. */
const maxLineLength = 20_000;
/** The number of lines to process before a pause in which the service can handle other requests. */
const linesPerPause = 500;

/** Returns the files of the bundle. Never rejects for unreadable files: an error text replaces their content. */
export async function collectBundle(sources: BundleSources): Promise<readonly BundleFile[]> {
  const { context, settingsResult: loaded, inputs, reports, version, now } = sources;
  const secrets = knownSecrets(loaded, inputs);
  const service = context.lab?.service ?? null;
  const json = (name: string, what: string, value: unknown): BundleFile => ({
    name,
    what,
    text: `${stringifyExactJson(redactValue(value, secrets), 2)}\n`,
  });
  const files: readonly BundleFile[] = [
    { name: 'checks.txt', what: 'Results of the checks', text: redactLines(doctorText(service, reports), secrets) },
    json('checks.json', 'The same, for programs', reports),
    json('settings.json', 'Settings in force, each with where it comes from', settingsContent(loaded)),
    json(
      'lab.json',
      'State of the lab, and its incidents of the last 24 hours',
      service?.kind === 'running' ? service.history : { missing: serviceText(service) },
    ),
    json('versions.json', 'Versions of this program, its runtime and this system', {
      'lab-manager': version,
      runtime: { ...process.versions },
      system: `${systemName()} ${release()} ${arch()}`,
      collected: new Date(now).toISOString(),
    }),
    ...(await crashFiles(context, json)),
    ...(await collectLogs(context, secrets)),
  ];
  return [{ name: 'README.txt', what: 'What all this is', text: readme(files, version, now) }, ...files];
}

/** Shell variables whose names look like secrets. They contain folders, and removing these would make paths unreadable. */
const workingDirectories: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);

/** Values that are always removed: webhooks and the database of the settings, and secrets of the environment. */
function knownSecrets(loaded: SettingsResult, { env }: SettingsInputs): readonly string[] {
  const { notifyWebhookUrl = [], databaseUrl = null } = loaded.ok ? loaded.settings : {};
  const addresses = [...notifyWebhookUrl, ...(databaseUrl === null ? [] : [databaseUrl])];
  const variables = Object.entries(env).flatMap(([name, value]) =>
    isSecretName(name) && !workingDirectories.has(name) && value ? [value] : [],
  );
  return [...addresses.flatMap(secretPartsOfAddress), ...variables.filter(({ length }) => length >= 8)];
}

function settingsContent(loaded: SettingsResult): unknown {
  const report = { warnings: loaded.warnings.map(formatProblem), files: loaded.files };
  if (!loaded.ok) return { problems: loaded.problems.map(formatProblem), ...report };
  return { settings: loaded.effective.map(({ name, value, origin }) => ({ name, [name]: value, origin })), ...report };
}

/** The recorded crashes. Dumps contain memory, so only their names are listed. */
async function crashFiles(
  { folders, app }: CheckContext,
  json: (name: string, what: string, value: unknown) => BundleFile,
): Promise<readonly BundleFile[]> {
  const dumps = app === null ? [] : [json('crash-dumps.json', 'Crash dumps on this machine, without them', app.dumps)];
  try {
    const crashes = await readCrashes(folders.find(({ use }) => use === 'log')?.path ?? '');
    return [json('crashes.json', 'The last crashes of app and service', crashes), ...dumps];
  } catch (error) {
    return [json('crashes.json', 'The last crashes, which can’t be read', { missing: errorText(error) }), ...dumps];
  }
}

async function collectLogs({ folders }: CheckContext, secrets: readonly string[]): Promise<readonly BundleFile[]> {
  const folder = folders.find(({ use }) => use === 'log')?.path ?? '';
  const logFiles = await logFilesIn(folder);
  const files: BundleFile[] = [];
  for (const file of logFiles.slice(0, maxLogs)) {
    const isTruncated = file.bytes > maxLogBytes;
    const text = await readRedacted(file, secrets);
    files.push({ name: `logs/${file.name}`, what: `Log${isTruncated ? ', its newest 5 MB' : ''}`, text });
  }
  return files;
}

async function readRedacted(file: LogFile, secrets: readonly string[]): Promise<string> {
  try {
    const all = (await readEnd(file)).split('\n');
    const safe: string[] = [];
    for (let start = 0; start < all.length; start += linesPerPause) {
      safe.push(...all.slice(start, start + linesPerPause).map((line) => redactLine(line, secrets)));
      await pause();
    }
    return safe.join('\n');
  } catch (error) {
    return `This log can't be read: ${errorText(error)}\n`;
  }
}

async function readEnd({ path, bytes }: LogFile): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const start = Math.max(0, bytes - maxLogBytes);
    const buffer = Buffer.alloc(bytes - start);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    const text = buffer.toString('utf8', 0, bytesRead);
    // A partial line might contain a partial secret.
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

function redactLine(line: string, secrets: readonly string[]): string {
  const safe = redactText(line.slice(0, maxLineLength), secrets);
  return line.length > maxLineLength ? `${safe} …` : safe;
}

function redactLines(text: string, secrets: readonly string[]): string {
  return `${text
    .split('\n')
    .map((line) => redactLine(line, secrets))
    .join('\n')}\n`;
}

function readme(files: readonly BundleFile[], version: string, now: number): string {
  return [
    `Diagnostics of Lab Manager ${version}, collected ${new Date(now).toISOString()}.`,
    '',
    listText(files),
    '',
    `Tokens, passwords, keys, webhook addresses and similar values were replaced by ${redacted}.`,
    'Host names, IP addresses, names of folders, nodes and workflows are still there: check it before you share it.',
    '',
  ].join('\n');
}

/** One line per file in columns for a fixed-width font: name, size, description. */
export function listText(files: readonly Pick<BundleFile, 'name' | 'what' | 'text'>[]): string {
  const width = Math.max(...files.map(({ name }) => name.length));
  return files
    .map(({ name, what, text }) => `${name.padEnd(width)}  ${sizeText(text.length).padStart(8)}  ${what}`)
    .join('\n');
}

/** `12 KB`, `1.4 MB`. */
export function sizeText(size: number): string {
  return size >= 1024 * 1024 ? `${(size / 1024 / 1024).toFixed(1)} MB` : `${Math.ceil(size / 1024)} KB`;
}

/** The number of bytes to compress before a pause in which the service can handle other requests. */
const chunkBytes = 256 * 1024;
/** Attributes of a file in a Unix archive: a regular file that only its owner can access. */
const unix = 3;
const ownerOnly = 0o100600 * 0x10000;

/** Creates a ZIP archive of these files. */
async function createZip(files: readonly BundleFile[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const { name, text } of files) {
    const entry = Object.assign(new ZipDeflate(name, { level: 6 }), {
      mtime: new Date(clock.now()),
      os: unix,
      attrs: ownerOnly,
    });
    zip.add(entry);
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += chunkBytes) {
      entry.push(bytes.subarray(start, start + chunkBytes));
      await pause();
    }
    entry.push(new Uint8Array(), true);
  }
  zip.end();
  return Buffer.concat(parts);
}

/**
 * Saves the files as one archive and replaces an existing one atomically.
 * @param path full path of the archive
 * @throws Error with a user-facing message; nothing is written then
 */
export async function saveBundle(path: string, files: readonly BundleFile[]): Promise<void> {
  const bytes = await createZip(files);
  const temporary = join(dirname(path), `.lab-manager-${randomBytes(8).toString('hex')}.part`);
  try {
    await replaceOwnFile(path, bytes, { temporary });
  } catch (error) {
    const reason = errorCode(error) === 'ENOENT' ? 'there is no such folder' : writeFailure(error);
    throw new Error(`The diagnostics can't be saved to ${path}: ${reason}. Choose another folder`, { cause: error });
  }
}
