/** For tests: a folder tree of one's own, and settings inputs that look nowhere else. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SettingsInputs } from './schema/types.ts';

export interface TempFolder extends AsyncDisposable {
  readonly path: string;
  /** Writes files by relative path; a path that ends with `/` is a directory. */
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  /** Inputs whose home is `home/`, user configuration `home/.config/lab-manager/`, current directory `home/lab/`. */
  inputs(changes?: Partial<SettingsInputs>): SettingsInputs;
  remove(): Promise<void>;
}

export async function makeTempFolder(files: Readonly<Record<string, string>> = {}): Promise<TempFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'lab-settings-')));
  const remove = () => rm(path, { recursive: true, force: true });
  const folder: TempFolder = {
    path,
    async write(more) {
      for (const [name, text] of Object.entries(more)) {
        const file = join(path, name);
        await mkdir(name.endsWith('/') ? file : dirname(file), { recursive: true });
        if (!name.endsWith('/')) {
          await writeFile(file, text);
        }
      }
    },
    inputs: (changes = {}) => ({
      argv: [],
      env: {},
      cwd: join(path, 'home/lab'),
      homeDir: join(path, 'home'),
      userConfigDir: join(path, 'home/.config/lab-manager'),
      commandLine: 'headless',
      ...changes,
    }),
    remove,
    [Symbol.asyncDispose]: remove,
  };
  await folder.write({ 'home/lab/': '', ...files });
  return folder;
}
