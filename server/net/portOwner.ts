/** Identifies the owner of a port: over HTTP, and from the kernel's tables on Linux. */
import { isObject } from '../../api/client/wire.ts';
import { readdir, readFile, readlink } from 'node:fs/promises';
import net from 'node:net';
import { clock } from '../../api/time/clock.ts';
import { errorCode } from '../../api/errorText.ts';
import { labContext } from '../../api/lab/lab.ts';
import { cleanText } from '../logging/text.ts';
import { requestJson } from './requestJson.ts';
import type { JsonObject } from './foreignJson.ts';

/** The program that responds on the port. `process` is `4121 python -m madsci.squid`, if this machine reports it. */
export interface PortOwner {
  readonly kind: 'ours' | 'madsci' | 'unknown';
  readonly url: string;
  readonly version: string | null;
  /** The lab manager's name, if it reports one. */
  readonly name: string | null;
  readonly process: string | null;
}

/** A lab manager on a busy machine responds within this time, in ms; with a shorter one, it counted as another program. */
const requestTimeoutMs = 5000;

/** Maximum length of another lab manager's displayed name or version, in characters. */
const maxNameLength = 120;

/** Whether a program accepts connections at `host`:`port`. */
export function isPortInUse(host: string, port: number, timeoutMs = 500): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port });
    const finish = (isUsed: boolean) => {
      clock.clearTimeout(timer);
      socket.destroy();
      resolve(isUsed);
    };
    const timer = clock.setTimeout(() => finish(false), timeoutMs);
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

/**
 * Distinguishes our own lab manager, a MADSci lab manager and other programs.
 * @param findProcess returns the process on a port, as reported by this machine
 */
export async function identify(host: string, port: number, findProcess = processOnPort): Promise<PortOwner> {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
  const [settings, context, health, history, owner] = await Promise.all([
    request(`${url}settings`),
    request(`${url}context`),
    request(`${url}health`),
    request(`${url}lab_health/history`),
    findProcess(port),
  ]);
  const version = readName(health, 'version');
  const values = settings?.['settings'];
  const name = isObject(values) ? (readName(values, 'manager_name') ?? readName(values, 'name')) : null;
  const service = history?.['service'];
  if (isObject(service) && service['name'] === 'lab-manager')
    return { kind: 'ours', url, version, name, process: owner };
  const isLabManager = isObject(values) ? values['manager_type'] === 'lab_manager' : false;
  const hasContext = labContext.safeParse(context).success;
  const kind = isLabManager || hasContext ? 'madsci' : 'unknown';
  return { kind, url, version, name, process: owner };
}

async function request(url: string): Promise<JsonObject | null> {
  const response = await requestJson(url, requestTimeoutMs);
  return response.ok ? response.body : null;
}

function readName(body: JsonObject | null, key: string): string | null {
  const value = body?.[key];
  return typeof value === 'string' && value !== '' ? cleanText(value, maxNameLength) : null;
}

/** The process that listens on `port`, according to /proc (Linux, own processes or root); else `null`. */
export async function processOnPort(port: number): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of (await readOrEmpty(table)).split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      const listens = fields[3] === '0A';
      if (listens && parseInt(fields[1]?.split(':').at(-1) ?? '', 16) === port) inodes.add(fields[9] ?? '');
    }
  }
  if (inodes.size === 0) return null;
  for (const pid of (await listNames('/proc')).filter((name) => /^\d+$/.test(name))) {
    for (const fd of await listNames(`/proc/${pid}/fd`)) {
      const target = await linkOrEmpty(`/proc/${pid}/fd/${fd}`);
      const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
      if (inode === undefined || !inodes.has(inode)) continue;
      // A process can set its own command line to any text.
      return cleanText(`${pid} ${(await readOrEmpty(`/proc/${pid}/cmdline`)).split('\0').join(' ')}`, 130);
    }
  }
  return null;
}

/** Processes start, end and belong to other users while /proc is read: unreadable ones are ignored. */
function orElse<T>(fallback: T): (error: unknown) => T {
  return (error) => {
    if (errorCode(error) !== null) return fallback;
    throw error;
  };
}

const readOrEmpty = (path: string) => readFile(path, 'utf8').catch(orElse(''));
const listNames = (path: string) => readdir(path).catch(orElse<string[]>([]));
const linkOrEmpty = (path: string) => readlink(path).catch(orElse(''));
