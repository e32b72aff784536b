/** The TLS certificate of the settings: read again when it is renewed; an invalid one does not prevent the start. */
import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { errorText } from '#api/errorText.ts';
import { Poller } from '../../concurrency/poller.ts';
import type { Log } from '../../logging/log.ts';
import type { LabSettings } from '../../settings/schema/types.ts';
import { fileVersion, readOwnFile } from '../../storage/replaceOwnFile.ts';
import { withStorageTimeout } from '../../storage/storageTimeout.ts';

type CertificateSettings = Pick<LabSettings, 'tlsCertFile' | 'tlsKeyFile'>;

/** Interval of the checks whether the files or their settings changed, in ms. */
const checkIntervalMs = 2000;

export class Certificate {
  readonly #settings: { readonly value: CertificateSettings };
  readonly #log: Log;
  readonly #poller = new Poller(() => this.#check());
  #context: SecureContext | null = null;
  /** Identifies the version of the files that were read. */
  #fingerprint = '';
  #problem = '';
  #isReading = false;

  constructor(settings: { readonly value: CertificateSettings }, log: Log) {
    this.#settings = settings;
    this.#log = log;
  }

  /** `null` if the settings have no certificate, or it was never valid: then there is no TLS. */
  get context(): SecureContext | null {
    return this.#context;
  }

  /** Never rejects. */
  start(): Promise<void> {
    return this.#poller.start();
  }

  stop(): void {
    this.#poller.stop();
  }

  async #check(): Promise<number> {
    if (this.#isReading) return checkIntervalMs;
    this.#isReading = true;
    const reading = this.#read().finally(() => (this.#isReading = false));
    await withStorageTimeout(reading).catch((error: unknown) => this.#report(errorText(error)));
    return checkIntervalMs;
  }

  async #read(): Promise<void> {
    const { tlsCertFile, tlsKeyFile } = this.#settings.value;
    if (tlsCertFile === null) {
      this.#context = null;
      this.#fingerprint = '';
      return tlsKeyFile === null ? undefined : this.#report('LAB_TLS_KEY_FILE is set without LAB_TLS_CERT_FILE');
    }
    const keyFile = tlsKeyFile ?? tlsCertFile;
    const fingerprint = JSON.stringify([
      tlsCertFile,
      keyFile,
      await fileVersion(tlsCertFile),
      await fileVersion(keyFile),
    ]);
    if (fingerprint === this.#fingerprint) return;
    const cert = await readPem('LAB_TLS_CERT_FILE', tlsCertFile);
    const key = keyFile === tlsCertFile ? cert : await readPem('LAB_TLS_KEY_FILE', keyFile);
    try {
      this.#context = createSecureContext({ cert, key, minVersion: 'TLSv1.2' });
    } catch (error) {
      // While one of the two files is renewed, they do not match for a moment.
      throw new Error(`${tlsCertFile} and ${keyFile} are not a certificate and its key: ${errorText(error)}`, {
        cause: error,
      });
    }
    this.#fingerprint = fingerprint;
    this.#problem = '';
    this.#log.info(`TLS certificate of ${tlsCertFile}, valid until ${new X509Certificate(cert).validTo}`);
  }

  #report(text: string): void {
    const effect = this.#context === null ? 'There is no https' : 'The previous certificate stays in use';
    if (text !== this.#problem) this.#log.error(`${text}. ${effect} until this is corrected`);
    this.#problem = text;
  }
}

async function readPem(setting: string, path: string): Promise<string> {
  try {
    const text = await readOwnFile(path);
    if (text === null) throw new Error('it does not exist');
    return text;
  } catch (error) {
    throw new Error(`${setting}: ${path} can't be read: ${errorText(error)}`, { cause: error });
  }
}
