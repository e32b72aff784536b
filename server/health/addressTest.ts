/**
 * Checks an address typed on the first screen or in the Settings window: its form, and whether the expected manager
 * responds there.
 */
import { clock } from '../../api/time/clock.ts';
import { contextKey, managerTitle, type ManagerKey } from '../../api/managers.ts';
import { probe } from './probe.ts';
import { evaluateHealth } from './evaluateHealth.ts';
import { parseUrl } from '../settings/parse/addresses.ts';
import { isNone } from '../settings/parse/values.ts';
import { getSetting } from '../settings/schema/table.ts';

const timeoutMs = 3000;

/** Whether a typed address is usable. */
export interface AddressTest {
  readonly ok: boolean;
  /** `Event Manager is running normally (0.8.1)`, or why it is unusable. */
  readonly text: string;
  /** The normalised address, `null` if it is invalid. */
  readonly url: string | null;
}

/**
 * Checks the manager at `text` once, with a timeout of 3 s; without an address it is disabled. Never rejects for typed
 * text.
 */
export async function testAddress(manager: ManagerKey, text: string): Promise<AddressTest> {
  if (isNone({ style: 'text', text: text.trim() }, getSetting(contextKey(manager))))
    return { ok: true, text: 'Switched off: this lab has no such manager', url: '' };
  const address = parseUrl(text);
  if (!address.ok) return { ok: false, text: `This ${address.message}`, url: null };
  const outcome = await probe(address.value, { timeoutMs });
  if (outcome.kind === 'aborted') return { ok: false, text: 'not checked', url: address.value };
  const { entry, version, reason } = evaluateHealth(manager, outcome, null, clock.now());
  if (!entry.healthy) return { ok: false, text: reason ?? entry.description, url: address.value };
  const otherName = otherManagerIn(entry.description, manager);
  if (otherName !== null)
    return { ok: false, text: `${otherName} answers here, not the ${managerTitle(manager)}`, url: address.value };
  return {
    ok: true,
    text: version === null ? entry.description : `${entry.description} (${version})`,
    url: address.value,
  };
}

/** Real managers include their name in the description: `Event Manager is running normally`. */
function otherManagerIn(description: string, expected: ManagerKey): string | null {
  const managerName = /^(Event|Experiment|Resource|Data|Workcell|Location|Lab) Manager\b/.exec(description)?.[0];
  return managerName === undefined || managerName === managerTitle(expected) ? null : `The ${managerName}`;
}
