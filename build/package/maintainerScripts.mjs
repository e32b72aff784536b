// @ts-check
/**
 * The Debian package's scripts: electron-builder's own (links, sandbox helper, AppArmor profile) with ours after them.
 * Its link in /usr/bin goes to the program; ours must go to the launcher, which knows what to do without a display.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const linux = join(import.meta.dirname, '..', 'linux');

const programPath = "/opt/${sanitizedProductName}/${executable}'";
const launcherPath = "/opt/${sanitizedProductName}/launcher.sh'";

/** What electron-builder's scripts use the program's path for: two ways to link on install, one link on removal. */
const linkLines = { 'after-install.tpl': 2, 'after-remove.tpl': 1 };

/** @param {keyof typeof linkLines} template */
function withLauncher(template) {
  const builder = dirname(createRequire(import.meta.url).resolve('app-builder-lib/package.json'));
  const text = readFileSync(join(builder, 'templates', 'linux', template), 'utf8');
  let replaced = 0;
  const lines = text.split('\n').map((line) => {
    if (!line.includes(programPath)) return line;
    replaced += 1;
    return line.replaceAll(programPath, launcherPath);
  });
  if (replaced !== linkLines[template]) {
    throw new Error(
      `electron-builder's ${template} links the program in ${replaced} lines, not ${linkLines[template]}: read it anew`,
    );
  }
  return lines.join('\n');
}

/**
 * Writes the two scripts as templates that electron-builder fills in.
 * @param {string} directory where to; made when it isn't there
 * @returns {{ afterInstall: string, afterRemove: string }} their paths
 */
export function writeMaintainerScripts(directory) {
  mkdirSync(directory, { recursive: true });
  const afterInstall = join(directory, 'postinst.tpl');
  const afterRemove = join(directory, 'postrm.tpl');
  writeFileSync(
    afterInstall,
    `${withLauncher('after-install.tpl')}${readFileSync(join(linux, 'postinst.sh'), 'utf8')}`,
  );
  writeFileSync(afterRemove, `${withLauncher('after-remove.tpl')}${readFileSync(join(linux, 'postrm.sh'), 'utf8')}`);
  return { afterInstall, afterRemove };
}
