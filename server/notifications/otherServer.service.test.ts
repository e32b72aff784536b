import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startLab, type FakeLab } from '../../e2e/support/managers.ts';
import { startService, type TestService } from '../../e2e/support/service.ts';
import { createTestModel } from '../fixtures/testModel.ts';
import { silentLog } from '../logging/log.ts';
import { createActiveServerReader, reportDelayMs, StateStartTimes } from './otherServer.ts';

describe('the active server', () => {
  let lab: FakeLab;
  let service: TestService;
  beforeEach(async () => {
    lab = await startLab({ data: 'http-503' });
  });
  afterEach(async () => {
    await service.stop();
    await lab.stop();
  });

  /** Creates a reader for a service with these settings. */
  async function read(settings: string) {
    service = await startService({ files: { 'settings.yaml': `${lab.settings}\n${settings}` } });
    const delivered: number[] = [];
    const model = createTestModel({ serverUrl: service.url });
    const starts = new StateStartTimes();
    const remembered: string[] = [];
    vi.spyOn(starts, 'remember').mockImplementation(({ key }) => void remembered.push(key));
    const lines: string[] = [];
    const startedAt = performance.now();
    const reader = createActiveServerReader({
      lab: model,
      starts,
      queue: { discardBefore: (until) => void delivered.push(until) },
      log: { ...silentLog, warn: (line) => void lines.push(line) },
    });
    return { reader, remembered, delivered, lines, startedAt };
  }

  it('is read for its status and for the time until which its notifications are delivered', async () => {
    const { reader, remembered, delivered, startedAt } = await read(
      'lab_notify_webhook_url: http://127.0.0.1:9/hook\n',
    );
    await reader.start();
    expect(delivered[0]).toBeGreaterThanOrEqual(startedAt - reportDelayMs);
    expect(remembered.filter((key) => key.startsWith('manager '))).toHaveLength(6);
    reader.stop();
  });

  it('is not a server on standby: nothing is read from it, and the reason is logged', async () => {
    const { reader, remembered, delivered, lines } = await read('lab_shared_address: 192.0.2.1\n');
    await reader.start();
    expect(lines.join()).toContain('it is on standby');
    expect([remembered, delivered]).toEqual([[], []]);
    reader.stop();
  });
});
