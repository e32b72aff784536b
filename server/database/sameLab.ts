/**
 * Checks that a database belongs to this lab. With the database of another lab, a server would stay on standby, and its
 * lab would have neither a history nor notifications.
 */
import * as z from 'zod';
import { isLoopbackHost } from '../../api/hosts.ts';
import { managerKeys, contextKey } from '../../api/managers.ts';
import { cleanText } from '../logging/text.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import { parseJsonOrNull, readState, type Query } from './query.ts';
import { schemaName } from './migrations.ts';

const labIdentity = z.object({
  /** `null` for a lab without a name. */
  name: z.string().nullable(),
  /** Addresses of its managers. Loopback addresses identify no lab, so they are left out. */
  managers: z.array(z.string()),
});
export type LabIdentity = z.infer<typeof labIdentity>;

export function getLabIdentity({ managerName, context }: Pick<LabSettings, 'managerName' | 'context'>): LabIdentity {
  const urls = managerKeys.flatMap((key) => context[contextKey(key)] ?? []);
  return { name: managerName, managers: urls.filter((url) => !isLoopbackHost(new URL(url).hostname)) };
}

/**
 * Whether two identities belong to one lab: they have the same name or a manager in common. Also true if they can't be
 * compared.
 */
export function isSameLab(first: LabIdentity, second: LabIdentity): boolean {
  if (first.name !== null && first.name === second.name) return true;
  if (first.managers.some((url) => second.managers.includes(url))) return true;
  const haveManagers = first.managers.length > 0 && second.managers.length > 0;
  const haveNames = first.name !== null && second.name !== null;
  return !haveManagers && !haveNames;
}

/** @throws {Error} if the database belongs to another lab */
export async function requireSameLab(query: Query, lab: LabIdentity): Promise<void> {
  const content = await readState(query, 'lab');
  if (content === null) return;
  const { data: stored } = labIdentity.safeParse(parseJsonOrNull(content));
  if (stored === undefined || isSameLab(stored, lab)) return;
  const name = cleanText(stored.name ?? stored.managers[0] ?? '', 100);
  throw new Error(
    `it belongs to the lab “${name}”, and each lab needs a database of its own. If that lab has become this one, delete the row “lab” of the table ${schemaName}.state`,
  );
}
