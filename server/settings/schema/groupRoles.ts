/** Maps the groups in the header `Remote-Groups` of a trusted proxy to roles, by the entries of LAB_PROXY_ROLES. */
import { roles, type Role } from '#api/lab/access.ts';

/** Every user that the proxy signs in is a member of this group. */
const everyone = '*';

/** Parses an entry; `null` if it is invalid. A group may contain `=`, as LDAP names do. */
export function parseGroupRole(text: string): { readonly group: string; readonly role: Role } | null {
  const separator = text.lastIndexOf('=');
  const group = text.slice(0, Math.max(0, separator)).trim();
  const role = roles.find((candidate) => candidate === text.slice(separator + 1).trim());
  return group === '' || role === undefined ? null : { group, role };
}

/**
 * The highest role of the groups; `null` if they have none.
 * @param mapping entries of the setting
 * @param groups the header: names separated by commas, as Authelia and oauth2-proxy send them
 */
export function highestRole(mapping: readonly string[], groups: string): Role | null {
  const memberships = new Set([everyone, ...groups.split(',').map((group) => group.trim())]);
  const entries = mapping.map(parseGroupRole).filter((entry) => entry !== null && memberships.has(entry.group));
  return roles.findLast((role) => entries.some((entry) => entry?.role === role)) ?? null;
}
