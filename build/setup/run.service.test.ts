import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.skipIf(process.platform === 'win32')(
  'a program ends when npm’s shell ends, which passes no signals on',
  async () => {
    const module = pathToFileURL(join(import.meta.dirname, 'run.mjs')).href;
    const inner =
      "console.log(process.pid); process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 60_000)";
    const outer = `const { run } = await import('${module}'); await run(process.execPath, ['-e', ${JSON.stringify(inner)}]);`;
    // The second command prevents the shell from replacing itself.
    const shell = spawn('sh', ['-c', '"$0" --input-type=module -e "$1"; true', process.execPath, outer], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [text] = (await once(shell.stdout, 'data')) as [Buffer];
    const pid = Number(text.toString());
    expect(isRunning(pid)).toBe(true);
    shell.kill('SIGTERM');
    await expect.poll(() => isRunning(pid)).toBe(false);
  },
);
