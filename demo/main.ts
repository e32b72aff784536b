/** `npm run demo`: runs only the demo lab, for any lab manager or tool. Stops on SIGTERM or Ctrl+C. */
import { settingsLines, startDemoLab } from './lab/lab.ts';

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
