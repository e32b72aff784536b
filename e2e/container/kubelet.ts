/**
 * Prepares a volume as kubelet does before it starts a pod: the volume and all its files are given to the pod's
 * `fsGroup`, which may then write to them. Source: Kubernetes, pkg/volume/volume_linux.go
 */
import { chmodSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface PodGroup {
  readonly fsGroup: number;
  /** `Always`: at each start of a pod. `OnRootMismatch`: only if the folder of the volume does not belong to the group yet. */
  readonly fsGroupChangePolicy: 'Always' | 'OnRootMismatch';
}

const setGroupId = 0o2000;
const fileBits = 0o660;
const folderBits = 0o110 | fileBits | setGroupId;

export function mountAsKubelet(volume: string, { fsGroup, fsGroupChangePolicy }: PodGroup): void {
  const { gid, mode } = lstatSync(volume);
  if (fsGroupChangePolicy === 'OnRootMismatch' && gid === fsGroup && (mode & folderBits) === folderBits) return;
  const contained = readdirSync(volume, { recursive: true, encoding: 'utf8' });
  for (const path of [volume, ...contained.map((name) => join(volume, name))]) {
    const stats = lstatSync(path);
    lchownSync(path, stats.uid, fsGroup);
    if (!stats.isSymbolicLink()) chmodSync(path, (stats.mode & 0o7777) | (stats.isDirectory() ? folderBits : fileBits));
  }
}
