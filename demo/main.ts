/** `npm run demo`: runs only the demo lab, for any lab manager or tool. Stops on SIGTERM or Ctrl+C. */
import { parseArgs } from 'node:util';
import { settingsLines, startDemoLab } from './lab/lab.ts';

const usage =
  'Usage: npm run demo\n\nStarts six simulated managers and five nodes, and prints their addresses as settings. It has no options;\n' +
  '`npm start -- --demo` starts a lab manager with such a lab.\n';
try {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help === true) {
    process.stdout.write(usage);
    process.exit(0);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exit(2);
}

const lab = await startDemoLab();
process.stdout.write(
  `# Demo lab: six simulated managers and five nodes. Paste into settings.yaml:\n${settingsLines(lab)}\n` +
    `# Faults, size and simulation: ${lab.controlUrl}demo/faults, /demo/scale, /demo/simulation (see demo/README.md)\n`,
);
// Ctrl+C sends the signal twice: from the terminal and from npm.
let stopping: Promise<void> | undefined;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => void (stopping ??= lab.stop()));
}
