import { expect, it } from 'vitest';
import { formatOwner } from './ownerText.ts';

const id = '01M7YEZGAZMTTE3RWYNVGA29Z5';
const names: Readonly<Record<string, string>> = { node_id: 'reader', manager_id: 'ResourceManager' };

it('formatOwner names the owner of an object and shortens IDs without a name', () => {
  const owner = { node_id: id, manager_id: id, user_id: id, lab_id: null };
  expect(formatOwner(owner, (field) => names[field] ?? '')).toBe('node reader, manager ResourceManager, user …GA29Z5');
  expect(formatOwner({}, () => '')).toBe('');
});
