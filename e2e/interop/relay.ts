/** The service with remote access, over https, in front of the suite's lab. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contextKey, managerKeys, type ManagerKey } from '../../api/managers.ts';
import { selfSignedCertificate } from '../support/network/selfSigned.ts';
import { startService, type TestService } from '../support/service.ts';
import type { Target } from './target.ts';

export interface Relay {
  readonly service: TestService;
  /** The certificate, which is its own authority. */
  readonly certificateFile: string;
  /** The address of the relay, without a slash at its end. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startRelay(context: Target['context']): Promise<Relay> {
  const folder = await mkdtemp(join(tmpdir(), 'lab-relay-'));
  const certificateFile = join(folder, 'cert.pem');
  const keyFile = join(folder, 'key.pem');
  await Promise.all([
    writeFile(certificateFile, selfSignedCertificate.cert),
    writeFile(keyFile, selfSignedCertificate.key, { mode: 0o600 }),
  ]);
  const settings = managerKeys.map((key: ManagerKey) => `${contextKey(key)}: ${context[key]}\n`).join('');
  const service = await startService({
    files: { 'settings.yaml': settings },
    env: {
      LAB_REMOTE_ACCESS: 'operate',
      LAB_TLS_CERT_FILE: certificateFile,
      LAB_TLS_KEY_FILE: keyFile,
      // With a trusted proxy, requests from this machine have no role of their own, like those from other machines.
      LAB_TRUSTED_PROXY: '["192.0.2.1"]',
    },
  });
  return {
    service,
    certificateFile,
    url: `https://localhost:${service.port}/managers`,
    stop: async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
