/** The roles that a trusted proxy's `Remote-Groups` give. Pure. */
import { roles, type Role } from '../../api/lab/access.ts';
import { parseGroupRole } from '../settings/schema/groupRoles.ts';

/** The group of every user whom the proxy signs in. */
const everyone = '*';

/**
 * The highest role of the groups; `null` if they have none.
 * @param mapping entries `group=role`, as in the setting
 * @param groups the header: names separated by commas, as Authelia and oauth2-proxy send them
 */
export function roleOfGroups(mapping: readonly string[], groups: string): Role | null {
  const own = new Set([everyone, ...groups.split(',').map((group) => group.trim())]);
  const entries = mapping.map(parseGroupRole).filter((entry) => entry !== null && own.has(entry.group));
  return roles.findLast((role) => entries.some((entry) => entry?.role === role)) ?? null;
}
