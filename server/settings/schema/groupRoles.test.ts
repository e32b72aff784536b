import { expect, it } from 'vitest';
import { highestRole } from './groupRoles.ts';

const mapping = ['lab-admins=administrator', 'lab-staff=operator', 'cn=guests,dc=lab=viewer'];

it.each([
  ['no group', mapping, '', null],
  ['an unknown group', mapping, 'others', null],
  ['one group', mapping, 'lab-staff', 'operator'],
  ['several groups, of which the highest role counts', mapping, 'others, lab-staff ,lab-admins', 'administrator'],
  ['a group that only begins with a known name', mapping, 'lab-staff-guests', null],
  ['another case', mapping, 'LAB-STAFF', null],
  ['a role for every user', ['*=viewer', 'lab-staff=operator'], 'others', 'viewer'],
  ['a group named like the wildcard', ['lab-staff=operator'], '*', null],
  ['no mapping', [], 'lab-admins', null],
])('highestRole returns the role for %s', (_name, roles, groups, role) => {
  expect(highestRole(roles, groups)).toBe(role);
});
