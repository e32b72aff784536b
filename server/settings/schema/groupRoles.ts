/** Entries `group=role` of LAB_PROXY_ROLES. Pure. */
import { roles, type Role } from '../../../api/lab/access.ts';

/** Parses an entry; `null` if it is invalid. A group may contain `=`, as LDAP names do. */
export function parseGroupRole(text: string): { readonly group: string; readonly role: Role } | null {
  const at = text.lastIndexOf('=');
  const group = text.slice(0, Math.max(0, at)).trim();
  const role = roles.find((each) => each === text.slice(at + 1).trim());
  return group === '' || role === undefined ? null : { group, role };
}
