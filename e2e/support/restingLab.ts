/** Fake managers with a service in front of them whose watch rests after its first question, for tests of asking. */
import { afterEach, expect } from 'vitest';
import { labHealth, type LabHealth } from '../../api/lab/lab.ts';
import { ask } from './ask.ts';
import { startLab, type FakeLab } from './managers.ts';
import { startService, type TestService } from './service.ts';

interface RestingLab {
  readonly lab: FakeLab;
  readonly service: TestService;
}

/** Whatever a test starts is ended after it. */
export function restingLabs() {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });
  return {
    /** @param settings instead of the addresses and a watch that rests */
    start: async (behaviours: Parameters<typeof startLab>[0] = {}, settings?: (lab: FakeLab) => string) => {
      const lab = await startLab(behaviours);
      closers.push(() => lab.stop());
      const text = settings?.(lab) ?? `${lab.settings}\nlab_watch_interval: 3600\n`;
      const service = await startService({ files: { 'settings.yaml': text } });
      closers.push(() => service.stop());
      return { lab, service } satisfies RestingLab;
    },
    onEnd: (close: () => unknown) => void closers.push(close),
  };
}

/** What `/lab_health` answers now. */
export async function healthOf({ port }: TestService): Promise<LabHealth> {
  const answer = await ask(port, '/lab_health');
  expect(answer.status).toBe(200);
  return labHealth.parse(JSON.parse(answer.body));
}
