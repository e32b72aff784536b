/** A name server that never responds: managers addressed by name are unreachable, all others are unaffected. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { labHealth } from '../../api/lab/lab.ts';
import { UnresponsiveNameServer } from '../support/network/unresponsiveNameServer.ts';

const nameServer = await UnresponsiveNameServer.make();
if (typeof nameServer === 'string') console.log(`No namespace (${nameServer}): the test of a name server is skipped`);
afterAll(() => (typeof nameServer === 'string' ? undefined : nameServer.remove()));

const report = z.object({ queries: z.number(), rounds: z.array(z.object({ body: labHealth })) });

describe('an unresponsive name server', () => {
  it.runIf(typeof nameServer !== 'string')(
    'leaves managers on localhost and with IP addresses healthy, while the others report the failed lookup',
    { timeout: 90_000 },
    async () => {
      if (typeof nameServer === 'string') return;
      const printed = await nameServer.run(join(import.meta.dirname, 'unresponsiveNameServerLab.ts'), 80_000);
      const { rounds, queries } = report.parse(JSON.parse(printed));
      expect(queries).toBeGreaterThan(0);
      expect(rounds).toHaveLength(3);
      for (const { body } of rounds) {
        expect(body.healthy_managers).toBe(2);
        for (const key of ['event_manager', 'location_manager'])
          expect(body.managers[key]).toMatchObject({ healthy: true, version: '0.8.1' });
        for (const key of ['experiment', 'resource', 'data', 'workcell'])
          expect(body.managers[`${key}_manager`]?.description).toBe(`name lookup timed out: ${key}-pc.lab`);
      }
    },
  );
});
