/**
 * Runs the service in the packaged runtime without window, tray or display: `lab-manager --headless`, and the options
 * that only print. A release build's runtime can't start as plain Node, so its main process does it.
 */
import { homedir } from 'node:os';
import { app } from 'electron';
import { rmSync } from 'node:fs';
import { errorText } from '../../api/errorText.ts';
import { runCommandLine } from '../../server/commandLine/cli.ts';
import { exitCodes } from '../../server/status.ts';
import { startDemoProcess } from '../service/demoProcess.ts';
import { appArguments } from '../service/serviceInputs.ts';

/**
 * Switches that the launcher passes to the runtime (resources/linux/launcher.sh); the service's command line doesn't
 * support them.
 */
const runtimeSwitches: ReadonlySet<string> = new Set([
  '--no-sandbox',
  '--no-zygote',
  '--in-process-gpu',
  '--ozone-platform=headless',
  '--disable-gpu',
  '--log-level=3',
]);

/**
 * Runs the service's command line in this process, and ends the process with its exit code.
 * @param profile folder of Chromium's files, removed at the end
 */
export async function runHeadless(profile: string): Promise<void> {
  // The runtime handles signals itself and quits; this passes the signal on to the service.
  app.on('before-quit', (event) => {
    if (process.emit('SIGTERM', 'SIGTERM')) event.preventDefault();
  });
  const code = await runCommandLine({
    argv: appArguments().filter((argument) => !runtimeSwitches.has(argument)),
    env: process.env,
    cwd: process.cwd(),
    homeDir: homedir(),
    program: 'lab-manager',
    codeDirectory: import.meta.dirname,
    startDemo: async (entry) => {
      await app.whenReady();
      return startDemoProcess(entry);
    },
  }).catch((error: unknown) => {
    console.error(errorText(error));
    return exitCodes.failure;
  });
  rmSync(profile, { recursive: true, force: true });
  app.exit(code);
}
