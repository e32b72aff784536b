import { expect, it } from 'vitest';
import { pickFreePort, startLab } from '../../e2e/support/managers.ts';
import { startService } from '../../e2e/support/service.ts';
import { silentLog } from '../logging/log.ts';
import { WatchedLabs, type WatchedLab } from './watchedLabs.ts';

it('the chosen labs are reported after each change, until they are removed', async () => {
  const lab = await startLab();
  const service = await startService({ files: { 'settings.yaml': `lab_manager_name: Culture\n${lab.settings}` } });
  const reports: (readonly WatchedLab[])[] = [];
  const watched = new WatchedLabs(silentLog, (labs) => reports.push(labs));
  try {
    watched.configure([service.url]);
    const managers = { healthy: 6, total: 6 };
    const healthy = { url: service.url, labName: 'Culture', state: 'healthy', reason: null, managers };
    await expect.poll(() => reports.at(-1)).toEqual([healthy]);
    const count = reports.length;
    // Reported again although unchanged, because a restarted service has received no report.
    watched.configure([service.url]);
    expect(reports.slice(count)).toEqual([[healthy]]);
    watched.configure([]);
    expect(reports.at(-1)).toEqual([]);
    // An IP address is not a name.
    const unnamed = `http://127.0.0.1:${await pickFreePort()}/`;
    watched.configure([unnamed]);
    await expect.poll(() => reports.at(-1)).toEqual([expect.objectContaining({ url: unnamed, labName: null })]);
  } finally {
    watched.stop();
    await service.stop();
    await lab.stop();
  }
});
