/** Stores the bundle between listing and saving, so that exactly the listed files are saved. */
import { describeResultCounts, type DiagnosticsList } from '../../api/diagnostics.ts';
import { findInstallation } from '../storage/installation.ts';
import { sizeText, type BundleFile } from './collect.ts';
import { saveBundle } from './save.ts';
import type { ContextOptions } from './checks/context.ts';
import { diagnose } from './diagnose.ts';

export class DiagnosticsSession {
  #files: readonly BundleFile[] | null = null;

  /** Runs the checks and collects the bundle; an earlier one is dropped. */
  async collect(options: ContextOptions): Promise<DiagnosticsList> {
    this.#files = null;
    const { reports, files } = await diagnose(options, findInstallation(import.meta.dirname).version);
    this.#files = files;
    return {
      counts: describeResultCounts(reports),
      reports: [...reports],
      files: files.map(({ name, what, text }) => ({ name, what, size: sizeText(text.length) })),
    };
  }

  /**
   * Saves the collected bundle.
   * @param path full path of the archive; `null` drops the bundle
   * @returns the path
   * @throws Error with a user-facing message: no bundle was collected, or it cannot be written
   */
  async save(path: string | null): Promise<string | null> {
    const files = this.#files;
    if (path === null) {
      this.#files = null;
      return null;
    }
    if (files === null) throw new Error('The diagnostics are not collected yet: choose Save Diagnostics again');
    await saveBundle(path, files);
    this.#files = null;
    return path;
  }
}
