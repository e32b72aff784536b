// @ts-check
/** `npm run test:windows -- --unit`: the unit tests that need no browser, on Windows' Node under Wine. */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suiteOutcome, vitestOutcome } from '../test/reports.mjs';
import { run } from './run.mjs';
import { announce, SetupError } from './output.mjs';
import { makeWinePrefix, wineEnvironment } from './winePrefix.mjs';

const folders = ['api', 'demo', 'electron', 'server'];

/** Rust programs such as Vitest's bundler need this library for random numbers. Wine before 10 lacks it. */
const processPrngSource = `
#include <windows.h>
#define RtlGenRandom SystemFunction036
BOOLEAN NTAPI RtlGenRandom(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return RtlGenRandom(data, (ULONG)size); }
`;

/**
 * @param {string} root the project's directory
 * @param {string} node absolute path of node.exe
 * @param {readonly string[]} args further arguments of Vitest: files, `-t`
 * @returns {Promise<import('../test/reports.mjs').Outcome>}
 */
export async function runWindowsUnitTests(root, node, args) {
  const { prefix, remove } = makeWinePrefix();
  try {
    installProcessPrng(prefix);
    const source = join(prefix, 'drive_c', 'src');
    copySources(root, source);
    const install = ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts'];
    const installCode = await announce('Installing the dependencies for Windows from the npm registry (425 MB)', () =>
      run('npm', install, { cwd: source, quiet: true }),
    );
    if (installCode !== 0) throw new SetupError('npm could not install the dependencies for Windows (see above)');
    const report = join(source, 'out', 'windows-unit.json');
    const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=out/windows-unit.json'];
    const projects = ['--project', 'unit', '--project', 'isolated'];
    const chosen = args.length > 0 ? args : folders;
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...reporters, ...chosen];
    const code = await runOnWindows(prefix, source, [node, ...vitest]);
    return suiteOutcome(existsSync(report) ? vitestOutcome(JSON.parse(readFileSync(report, 'utf8'))) : null, code);
  } finally {
    remove();
  }
}

/** @param {string} prefix */
function installProcessPrng(prefix) {
  const source = join(prefix, 'random.c');
  const library = join(prefix, 'drive_c', 'windows', 'system32', 'bcryptprimitives.dll');
  if (existsSync(library)) return;
  writeFileSync(source, processPrngSource);
  execFileSync('x86_64-w64-mingw32-gcc-win32', ['-shared', '-s', '-O2', '-o', library, source, '-ladvapi32']);
}

/** Copies every file that Git does not ignore. @param {string} root @param {string} target */
function copySources(root, target) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const path of listed.toString().split('\0').filter(Boolean)) {
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(root, path), join(target, path));
  }
}

/**
 * Runs a Windows program and copies its output to ours. It writes to a file, because Node under Wine does not
 * support Unix pipes.
 * @param {string} prefix @param {string} cwd @param {readonly string[]} command
 * @returns {Promise<number>} its exit code
 */
async function runOnWindows(prefix, cwd, command) {
  const file = join(prefix, 'output.txt');
  const output = openSync(file, 'a');
  const input = openSync(file, 'r');
  const child = spawn('wine', command, { cwd, env: wineEnvironment(prefix), stdio: ['ignore', output, output] });
  const buffer = Buffer.alloc(65_536);
  const copy = () => {
    for (let read = -1; read !== 0;) {
      read = readSync(input, buffer);
      process.stdout.write(buffer.toString('latin1', 0, read), 'latin1');
    }
  };
  const timer = setInterval(copy, 500);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    clearInterval(timer);
    copy();
    for (const descriptor of [output, input]) closeSync(descriptor);
  }
}
