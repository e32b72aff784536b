/** Fake managers and a service that doesn't check them again after its start, for tests of requests. */
import { afterEach, expect } from 'vitest';
import { labHealth, type LabHealth } from '../../api/lab/lab.ts';
import { sendRequest } from './rawRequest.ts';
import { startLab, type FakeLab } from './managers.ts';
import { startService, type TestService } from './service.ts';

interface PausedLab {
  readonly lab: FakeLab;
  readonly service: TestService;
}

/** Returns functions that start labs and register cleanups; everything ends after the test. */
export function setUpPausedLabs() {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });
  return {
    /** @param settings replaces the addresses and the paused watch */
    start: async (behaviours: Parameters<typeof startLab>[0] = {}, settings?: (lab: FakeLab) => string) => {
      const lab = await startLab(behaviours);
      closers.push(() => lab.stop());
      const text = settings?.(lab) ?? `${lab.settings}\nlab_watch_interval: 3600\n`;
      const service = await startService({ files: { 'settings.yaml': text } });
      closers.push(() => service.stop());
      return { lab, service } satisfies PausedLab;
    },
    onEnd: (close: () => unknown) => void closers.push(close),
  };
}

/** Returns the current response of `/lab_health`. */
export async function requestHealth({ port }: TestService): Promise<LabHealth> {
  const response = await sendRequest(port, '/lab_health');
  expect(response.status).toBe(200);
  return labHealth.parse(JSON.parse(response.body));
}
