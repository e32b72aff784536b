/** mDNS with Avahi on two simulated machines (network namespaces) that a virtual cable connects. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { repository } from '../support/service.ts';

const nearbyLabsFile = z.object({
  port: z.int(),
  labs: z.array(z.object({ url: z.string(), name: z.string(), machine: z.string() })),
});
const machines = { lab: `lab-${process.pid}`, office: `office-${process.pid}` } as const;
type Machine = keyof typeof machines;

interface Program {
  readonly child: ChildProcess;
  readonly output: () => string;
}

let folder: string;
const programs: ChildProcess[] = [];
const avahi: Partial<Record<Machine, Program>> = {};

function run(...command: readonly string[]): string {
  const [program = '', ...rest] = command;
  const { status, stdout, stderr } = spawnSync(program, rest, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
  return stdout;
}

/** Returns the address of a machine's bus, which only Avahi's programs use. */
const busAddress = (machine: Machine) => `unix:path=${join(folder, machine, 'bus')}`;

/** Starts a program in the network of a machine. */
function startOn(machine: Machine, command: readonly string[]): Program {
  const child = spawn('ip', ['netns', 'exec', machines[machine], ...command], {
    cwd: repository,
    env: { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: busAddress(machine) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  programs.push(child);
  return { child, output: () => output };
}

async function waitForOutput({ output }: Program, text: string): Promise<void> {
  await vi.waitFor(() => expect(output()).toContain(text));
}

async function end({ child }: Program): Promise<void> {
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}

async function startAvahi(machine: Machine): Promise<void> {
  const machineFolder = join(folder, machine);
  await mkdir(machineFolder);
  await writeFile(
    join(machineFolder, 'bus.conf'),
    `<busconfig><type>system</type><listen>${busAddress(machine)}</listen><auth>EXTERNAL</auth><policy context="default">` +
      '<allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>',
  );
  await writeFile(
    join(machineFolder, 'avahi.conf'),
    `[server]\nhost-name=${machine}-pc\nuse-ipv6=no\nratelimit-burst=1000\n`,
  );
  const bus = startOn(machine, [
    'dbus-daemon',
    `--config-file=${join(machineFolder, 'bus.conf')}`,
    '--nofork',
    '--print-address',
  ]);
  await waitForOutput(bus, 'unix:path=');
  const daemon = `avahi-daemon --no-drop-root --no-chroot --no-rlimits --file ${join(machineFolder, 'avahi.conf')}`;
  // Avahi gets a separate /run, because another daemon of this machine has its files there.
  const command = `mount -t tmpfs tmpfs /run && exec ${daemon}`;
  avahi[machine] = startOn(machine, ['sh', '-c', command]);
  await waitForOutput(avahi[machine], 'Server startup complete');
}

/** Returns the labs that Avahi finds on a machine: name, address, port and texts. */
function browse(machine: Machine): readonly string[] {
  const command = ['avahi-browse', '--resolve', '--parsable', '--terminate', '_madsci-lab._tcp'];
  const address = `DBUS_SYSTEM_BUS_ADDRESS=${busAddress(machine)}`;
  const lines = run('ip', 'netns', 'exec', machines[machine], 'env', address, ...command).split('\n');
  return lines
    .filter((line) => line.startsWith('='))
    .map((line) => line.split(';').slice(3).join(';'))
    .toSorted();
}

function startLab(machine: Machine, name: string) {
  const program = startOn(machine, [process.execPath, '--import', 'tsx', 'e2e/support/network/mdnsLab.ts', name]);
  const readLatest = () => {
    const line = program.output().trim().split('\n').at(-1) ?? '';
    if (!line.startsWith('{')) throw new Error(program.output());
    return nearbyLabsFile.parse(JSON.parse(line));
  };
  return { ...program, port: () => readLatest().port, labs: () => readLatest().labs };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lab-mdns-'));
  for (const name of Object.values(machines)) {
    run('ip', 'netns', 'add', name);
    run('ip', '-n', name, 'link', 'set', 'lo', 'up');
  }
  run('ip', '-n', machines.lab, 'link', 'add', 'cable', 'type', 'veth', 'peer', 'cable', 'netns', machines.office);
  // A second network of the lab's machine, as Docker creates one.
  run('ip', '-n', machines.lab, 'link', 'add', 'bridge0', 'type', 'veth', 'peer', 'bridge1');
  for (const [machine, interfaceName, address] of [
    [machines.lab, 'bridge0', '172.31.0.1/24'],
    [machines.lab, 'cable', '10.77.0.1/24'],
    [machines.office, 'cable', '10.77.0.2/24'],
  ] as const) {
    run('ip', '-n', machine, 'addr', 'add', address, 'dev', interfaceName);
    run('ip', '-n', machine, 'link', 'set', interfaceName, 'up');
  }
  run('ip', '-n', machines.lab, 'link', 'set', 'bridge1', 'up');
  await startAvahi('lab');
  await startAvahi('office');
});

afterAll(async () => {
  for (const program of programs) program.kill();
  for (const name of Object.values(machines)) spawnSync('ip', ['netns', 'del', name]);
  await rm(folder, { recursive: true, force: true });
});

it('Avahi on another machine finds a lab at its address in their network, until the service stops', async () => {
  const lab = startLab('lab', 'Bench Lab');
  await expect.poll(() => lab.port()).toBeGreaterThan(0);
  const host = 'lab-manager-10-77-0-1.local;10.77.0.1';
  const line = expect.stringMatching(
    new RegExp(`^Bench\\\\032Lab;_madsci-lab\\._tcp;local;${host};${lab.port()};.*"version=9\\.8\\.7"`),
  );
  await expect.poll(() => browse('office')).toEqual([line]);
  // The name of Avahi on the lab’s machine must not change.
  await expect.poll(() => browse('lab').length).toBeGreaterThan(0);
  expect(avahi.lab?.output()).not.toMatch(/conflict|collision/i);
  await end(lab);
  await expect.poll(() => browse('office')).toEqual([]);
});

it('a lab is found while Avahi publishes it', async () => {
  const search = startLab('lab', 'Bench Lab');
  const text = ['machine=bench-pc', 'path=/culture/'];
  const published = startOn('office', ['avahi-publish', '-s', 'Dr. Ann’s Lab', '_madsci-lab._tcp', '8123', ...text]);
  const lab = { url: 'http://10.77.0.2:8123/culture/', name: 'Dr. Ann’s Lab', machine: 'bench-pc' };
  await expect.poll(() => search.labs()).toContainEqual(lab);
  await end(published);
  await expect.poll(() => search.labs()).not.toContainEqual(lab);
  await end(search);
});

it('two labs with the same name are found under different names, also after the cable was pulled', async () => {
  const labs = [startLab('lab', 'Bench'), startLab('office', 'Bench')];
  const labsOnCable = (lab: (typeof labs)[number]) => lab.labs().filter(({ url }) => url.includes('//10.77.0.'));
  const names = () => labs.map((lab) => labsOnCable(lab).map(({ name }) => name));
  const both = ['Bench', 'Bench (2)'];
  await expect.poll(names).toEqual([both, both]);
  for (const state of ['down', 'up']) run('ip', '-n', machines.office, 'link', 'set', 'cable', state);
  run('ip', '-n', machines.office, 'addr', 'del', '10.77.0.2/24', 'dev', 'cable');
  await expect.poll(names).toEqual([expect.any(Array), []]);
  run('ip', '-n', machines.office, 'addr', 'add', '10.77.0.3/24', 'dev', 'cable');
  await expect.poll(() => labs[0]?.labs().map(({ url }) => new URL(url).hostname)).toContain('10.77.0.3');
  await expect.poll(names).toEqual([both, both]);
  for (const lab of labs) await end(lab);
});
