/** Follows a stop that the service sends or releases, for programs that do not poll its state anyway. */
import type { Client } from '../client/client.ts';
import type { safetyStopApi } from '../lab/safetyStopApi.ts';
import { pause } from '../time/pause.ts';
import type { LabStop } from './labStop.ts';

const readIntervalMs = 300;

/**
 * Reads the stop until the service neither sends nor releases it; a failed reading is repeated.
 * @param stop as the service has responded
 * @param maxWaitMs after this time it returns the state as last read
 * @param onRead called with each state, the first one included
 */
export async function followStop(
  client: Pick<Client<typeof safetyStopApi>, 'getStop'>,
  stop: LabStop | null,
  maxWaitMs: number,
  onRead: (stop: LabStop | null) => void = () => undefined,
): Promise<LabStop | null> {
  let current = stop;
  onRead(current);
  const isRunning = () => current?.sending === true || current?.releasing === true;
  for (let waitedMs = 0; waitedMs < maxWaitMs && isRunning(); waitedMs += readIntervalMs) {
    await pause(readIntervalMs);
    current = (await client.getStop().catch(() => null))?.stop ?? current;
    onRead(current);
  }
  return current;
}
