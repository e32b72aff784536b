/** Writes `licences.json`: the packages that the page contains, each with its licence and the licence's text. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

interface Licence {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

/** Returns the folder of the package that `moduleId` belongs to; `null` for the project's own modules. */
export function packageFolder(moduleId: string): string | null {
  const path = moduleId.replace(/^\0/, '').replace(/\?.*$/, '');
  const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path);
  return match?.[1] ?? null;
}

/** @param folder the folder of the package */
export function readLicence(folder: string): Licence {
  const file = join(folder, 'package.json');
  const packageJson: { name?: string; version?: string; license?: string } = JSON.parse(readFileSync(file, 'utf8'));
  const texts = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying|notice)(?:\.|-|$)/i.test(name));
  const licenceText = texts
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n');
  const licence = packageJson.license ?? '';
  return {
    name: packageJson.name ?? folder,
    version: packageJson.version ?? '',
    licence,
    text: licenceText || standardText(licence),
  };
}

/** Returns the text of a licence for packages that only name it; empty if the text differs between packages. */
function standardText(licence: string): string {
  const file = join(import.meta.dirname, 'licences', `${licence}.txt`);
  return /^[\w.-]+$/.test(licence) && existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

/** @param assetPackages packages that contribute only files that are not modules, such as fonts */
export function licences(root: string, assetPackages: readonly string[]): Plugin {
  return {
    name: 'licences',
    apply: 'build',
    generateBundle(_options, bundle) {
      const folders = new Set(assetPackages.map((name) => join(root, 'node_modules', name)));
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
      // Style sheets leave the chunks before this hook; they are only in the module graph.
      const sheets = [...this.getModuleIds()].filter((id) => /\.css(?:\?|$)/.test(id));
      for (const id of [...modules, ...sheets]) {
        const folder = packageFolder(id);
        if (folder !== null && existsSync(join(folder, 'package.json'))) folders.add(folder);
      }
      const list = [...folders].map(readLicence).toSorted((a, b) => a.name.localeCompare(b.name));
      const withoutText = list.filter(({ licence, text }) => licence === '' || text === '').map(({ name }) => name);
      if (withoutText.length > 0) this.warn(`no licence text found for ${withoutText.join(', ')}`);
      this.emitFile({ type: 'asset', fileName: 'licences.json', source: JSON.stringify(list) });
    },
  };
}

/** The folder that holds `dashboard/` and `node_modules/`. */
export const repository = dirname(dirname(import.meta.dirname));
