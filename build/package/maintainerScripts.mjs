// @ts-check
/**
 * Extends electron-builder's scripts for the Debian and RPM packages (links, sandbox helper, AppArmor profile). The
 * link in /usr/bin is changed to the launcher, which handles a missing display. The test for user namespaces runs as an
 * ordinary user instead of root: where the kernel denies them to ordinary users, Chromium needs its set-uid helper.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const linux = join(import.meta.dirname, '..', '..', 'resources', 'linux');

/**
 * Runs a command as `nobody`, by number because the group has another name on Fedora. setpriv and unshare are both part
 * of util-linux.
 */
const asUnprivileged = 'setpriv --reuid=65534 --regid=65534 --clear-groups';

/**
 * @typedef {object} Change
 * @property {string} from
 * @property {string} to
 * @property {Readonly<Record<Template, number>>} lines the number of lines of each script that contain it
 *
 * @typedef {'after-install.tpl' | 'after-remove.tpl'} Template
 */

/** @type {readonly Change[]} */
const changes = [
  {
    from: "/opt/${sanitizedProductName}/${executable}'",
    to: "/opt/${sanitizedProductName}/launcher.sh'",
    lines: { 'after-install.tpl': 2, 'after-remove.tpl': 1 },
  },
  {
    from: '&& unshare --user true;',
    to: `&& ${asUnprivileged} unshare --user true;`,
    lines: { 'after-install.tpl': 1, 'after-remove.tpl': 0 },
  },
];

/** @param {Template} template */
function adaptTemplate(template) {
  const builder = dirname(createRequire(import.meta.url).resolve('app-builder-lib/package.json'));
  const text = readFileSync(join(builder, 'templates', 'linux', template), 'utf8');
  return changes.reduce((script, { from, to, lines }) => {
    const lineCount = script.split('\n').filter((line) => line.includes(from)).length;
    if (lineCount !== lines[template]) {
      throw new Error(
        `electron-builder's ${template} has "${from}" in ${lineCount} lines, not ${lines[template]}: read it again`,
      );
    }
    return script.replaceAll(from, to);
  }, text);
}

/**
 * Writes both scripts as electron-builder templates.
 * @param {string} directory target; created if missing
 * @returns {{ afterInstall: string, afterRemove: string }} their paths
 */
export function writeMaintainerScripts(directory) {
  mkdirSync(directory, { recursive: true });
  const afterInstall = join(directory, 'postinst.tpl');
  const afterRemove = join(directory, 'postrm.tpl');
  writeFileSync(
    afterInstall,
    `${adaptTemplate('after-install.tpl')}${readFileSync(join(linux, 'postinst.sh'), 'utf8')}`,
  );
  writeFileSync(afterRemove, `${adaptTemplate('after-remove.tpl')}${readFileSync(join(linux, 'postrm.sh'), 'utf8')}`);
  return { afterInstall, afterRemove };
}
