/** An address typed on the first screen: is it one, and does the manager that is meant answer there? */
import { managerTitle, type ManagerKey } from '../../api/managers.ts';
import { probe } from './probe.ts';
import { evaluateHealth } from './verdict.ts';
import { parseUrl, isNone } from '../settings/parse/values.ts';

const timeoutMs = 3000;

/** Whether an address entered on the first screen can be used. */
export interface AddressTest {
  readonly ok: boolean;
  /** `Event Manager is running normally (0.8.1)`, or why it can't be used. */
  readonly text: string;
  /** The address as it would be written, `null` when it is none. */
  readonly url: string | null;
}

/** Asks the manager at `text` once, for at most 3 s; without an address it is switched off. Never rejects for what a person typed. */
export async function testAddress(manager: ManagerKey, text: string): Promise<AddressTest> {
  if (isNone({ style: 'text', text: text.trim() }))
    return { ok: true, text: 'Switched off: this lab has no such manager', url: '' };
  const address = parseUrl(text);
  if (!address.ok) return { ok: false, text: `This ${address.message}`, url: null };
  const outcome = await probe(address.value, { timeoutMs });
  if (outcome.kind === 'aborted') return { ok: false, text: 'not asked', url: address.value };
  const { entry, version, reason } = evaluateHealth(manager, outcome, null, Date.now());
  if (!entry.healthy) return { ok: false, text: reason ?? entry.description, url: address.value };
  const other = otherManagerIn(entry.description, manager);
  if (other !== null)
    return { ok: false, text: `${other} answers here, not the ${managerTitle(manager)}`, url: address.value };
  return {
    ok: true,
    text: version === null ? entry.description : `${entry.description} (${version})`,
    url: address.value,
  };
}

/** Real managers name themselves in their description: `Event Manager is running normally`. */
function otherManagerIn(description: string, expected: ManagerKey): string | null {
  const named = /^(Event|Experiment|Resource|Data|Workcell|Location|Lab) Manager\b/.exec(description)?.[0];
  return named === undefined || named === managerTitle(expected) ? null : `The ${named}`;
}
