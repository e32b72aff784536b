/** Tests the manager addresses that a user types, shortly after the last keystroke, and drops outdated responses. */
import { reactive } from 'vue';
import { errorText } from '#api/errorText.ts';
import type { ManagerKey } from '#api/managers.ts';
import { addressTest, type AddressTest } from '../../ipc/contract.ts';
import { sendCommand } from './requests.ts';
import { tryParseUrl } from '#api/url.ts';

const typingDelayMs = 400;

export function useAddressTests(): {
  readonly results: Partial<Record<ManagerKey, AddressTest>>;
  readonly test: (manager: ManagerKey, text: string) => void;
  /** Cancels the pending test of an address, and drops its result. */
  readonly forget: (manager: ManagerKey) => void;
} {
  const results = reactive<Partial<Record<ManagerKey, AddressTest>>>({});
  const timers = new Map<ManagerKey, number>();
  const latest = new Map<ManagerKey, number>();

  async function run(manager: ManagerKey, text: string, requestNumber: number): Promise<void> {
    const result = await sendCommand({ command: 'test-address', manager, url: text }).then(
      (value) => addressTest.parse(value),
      (error: unknown) => ({ ok: false, text: errorText(error), url: null }),
    );
    if (latest.get(manager) === requestNumber) results[manager] = result;
  }

  function test(manager: ManagerKey, text: string): void {
    window.clearTimeout(timers.get(manager));
    const requestNumber = (latest.get(manager) ?? 0) + 1;
    latest.set(manager, requestNumber);
    results[manager] = { ok: false, text: 'Trying…', url: null };
    timers.set(
      manager,
      window.setTimeout(() => void run(manager, text, requestNumber), typingDelayMs),
    );
  }

  function forget(manager: ManagerKey): void {
    window.clearTimeout(timers.get(manager));
    latest.set(manager, (latest.get(manager) ?? 0) + 1);
    delete results[manager];
  }

  return { results, test, forget };
}

/**
 * Applies one host name to a manager's address.
 * @param url address of a manager, whose port and path are kept
 * @param host a host name or IP address, with or without a scheme; its port is ignored
 * @returns the manager's address on that host; `null` for an invalid host
 */
export function addressOnHost(url: string, host: string): string | null {
  const text = host
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/, '');
  const name = text.startsWith('[') ? text : text.replace(/^([^:]*):\d*$/, '$1');
  const hostPart = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  // Chromium encodes a space as `%20`: `lab%20pc`.
  const parsedHost = hostPart === '' || /[\s%@\\]/.test(hostPart) ? null : tryParseUrl(`http://${hostPart}/`);
  if (parsedHost === null) return null;
  const address = new URL(url);
  address.hostname = parsedHost.hostname;
  return address.href;
}
