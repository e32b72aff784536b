/** Disks and network drives that may not respond. */
import { readFile } from 'node:fs/promises';
import { withTimeout } from '../../concurrency/boundedWait.ts';

/**
 * Reads with a timeout. A read that hangs holds a thread of this process, which the safety stop needs too, so no read
 * starts while a maximum number of them hang.
 */
export class DiskReads {
  readonly #maxHanging: number;
  #hanging = 0;

  constructor(maxHanging: number) {
    this.#maxHanging = maxHanging;
  }

  /** Whether no read can start. */
  get isFull(): boolean {
    return this.#hanging >= this.#maxHanging;
  }

  /** The result of `read`; `null` after `ms`, and if no read can start. @throws what `read` throws */
  async run<Value>(read: () => Promise<Value>, ms: number): Promise<Value | null> {
    if (this.isFull) return null;
    let isHanging = false;
    const result = read().finally(() => {
      if (isHanging) this.#hanging -= 1;
    });
    return withTimeout(result, ms, () => {
      isHanging = true;
      this.#hanging += 1;
      return null;
    });
  }
}

/** Types of network file systems in `/proc/self/mountinfo`, and of folders that mount one when they are read. */
const networkTypes = /^(?:nfs|cifs|smb|9p|afs|ceph|glusterfs|lustre|davfs|autofs|fuse\.)/;

const readMountTable = () => readFile('/proc/self/mountinfo', 'utf8').catch(() => '');

/** Returns whether a path is on a network drive other than those of the given folders. Only Linux lists its drives. */
export async function findOtherServers(
  folders: readonly string[],
  readMounts = readMountTable,
): Promise<(path: string) => boolean> {
  const table = await readMounts();
  const mounts = table.split('\n').flatMap((line) => {
    const [place = '', source] = line.split(' - ');
    const point = place
      .split(' ')[4]
      ?.replaceAll(/\\(\d{3})/g, (_code, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
    return point === undefined || source === undefined ? [] : [{ point, isNetwork: networkTypes.test(source) }];
  });
  const mountOf = (path: string) =>
    mounts
      .filter(({ point }) => point === '/' || path === point || path.startsWith(`${point}/`))
      .reduce<(typeof mounts)[number] | null>(
        (longest, mount) => (longest === null || mount.point.length >= longest.point.length ? mount : longest),
        null,
      );
  const usedMounts = new Set(folders.map(mountOf));
  return (path) => {
    const mount = mountOf(path);
    return mount?.isNetwork === true && !usedMounts.has(mount);
  };
}
