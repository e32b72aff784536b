/** Runs MADSci's Python clients once for many requests. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const timeoutMs = 120_000;

/**
 * Runs `clients.py` with `input` as JSON, and returns its output, parsed as JSON.
 * @param env added to the environment
 */
export function runPython(
  args: readonly string[],
  input: unknown = null,
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const python = process.env['LAB_MANAGER_MADSCI_PYTHON'];
  if (python === undefined) throw new Error('There is no Python with MADSci: run it with npm run test:interop');
  const { PATH = '' } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn(python, [join(import.meta.dirname, 'python', 'clients.py'), ...args], {
      // A separate environment, without the settings of the user who runs the tests.
      env: { PATH, HOME: '/nonexistent', PYTHONDONTWRITEBYTECODE: '1', ...env },
      cwd: import.meta.dirname,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    let output = '';
    let errorOutput = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (errorOutput = `${errorOutput}${String(chunk)}`.slice(-3000)));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(output) as unknown);
      else reject(new Error(`clients.py ended with ${code}:\n${errorOutput}`));
    });
    child.stdin.end(JSON.stringify(input));
  });
}
