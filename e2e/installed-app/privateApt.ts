/** apt-get with separate sources, lists and cache: nothing that this machine has set up is read or changed. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export interface PrivateApt {
  /** The folder with everything of this apt, which the caller deletes. */
  readonly folder: string;
  /** The folder into which `download` writes packages. */
  readonly downloads: string;
  /** The file with the installed packages; empty until the caller writes it. */
  readonly status: string;
  /** Runs apt-get, asynchronously, so that a web server in this process can respond. @returns exit code and output */
  run(...args: readonly string[]): Promise<{ code: number; text: string }>;
}

/**
 * @param source a line of `sources.list`; `null` for the sources of this machine
 * @param architecture in Debian's terms; by default that of this machine
 */
export function privateApt(source: string | null, architecture?: string): PrivateApt {
  const folder = mkdtempSync(join(tmpdir(), 'apt-'));
  const downloads = join(folder, 'downloads');
  const status = join(folder, 'status');
  for (const name of ['lists/partial', 'cache/archives/partial', 'parts', 'downloads']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  writeFileSync(status, '');
  writeFileSync(join(folder, 'sources.list'), `${source ?? ''}\n`);
  const ownSources = {
    'Dir::Etc::SourceList': join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': join(folder, 'parts'),
  };
  const options = {
    ...(source === null ? {} : ownSources),
    ...(architecture === undefined ? {} : { 'APT::Architecture': architecture, 'APT::Architectures': architecture }),
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::State::Status': status,
    'Dir::Cache': join(folder, 'cache'),
    'APT::Sandbox::User': 'root',
    'Acquire::Retries': '0',
  };
  const optionArguments = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const env = { ...process.env, LC_ALL: 'C', no_proxy: '127.0.0.1' };
  return {
    folder,
    downloads,
    status,
    run: async (...args) => {
      try {
        const { stdout, stderr } = await execute('apt-get', [...optionArguments, ...args], { env, cwd: downloads });
        return { code: 0, text: stdout + stderr };
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { code, text: `${stdout}${stderr}` };
      }
    },
  };
}
