import { expect, it } from 'vitest';
import { isSameLab, getLabIdentity, type LabIdentity } from './sameLab.ts';

const [a, b] = ['http://10.0.0.1:8005/', 'http://10.0.0.2:8005/'];
const lab = (name: string | null, ...managers: string[]): LabIdentity => ({ name, managers });

it.each<[string, boolean, LabIdentity, LabIdentity]>([
  ['the same name', true, lab('Bench'), lab('Bench')],
  ['the same name and other managers', true, lab('Bench', a), lab('Bench', b)],
  ['other names and a common manager', true, lab('Bench', a, b), lab('Culture', b)],
  ['other names', false, lab('Bench'), lab('Culture')],
  ['other names and other managers', false, lab('Bench', a), lab('Culture', b)],
  ['a name on one side and other managers', false, lab('Bench', a), lab(null, b)],
  ['a name on one side and no managers', true, lab('Bench'), lab(null)],
  ['nothing known', true, lab(null), lab(null)],
])('two servers with %s belong to one lab: %s', (_name, expected, first, second) => {
  expect(isSameLab(first, second)).toBe(expected);
  expect(isSameLab(second, first)).toBe(expected);
});

it('a lab is identified by its name and by the addresses of managers that are not on loopback', () => {
  const context = {
    lab_server_url: 'http://10.0.0.9:8000/',
    event_server_url: 'http://localhost:8001/',
    experiment_server_url: null,
    resource_server_url: 'http://[::1]:8003/',
    data_server_url: 'http://127.0.0.1:8004/',
    workcell_server_url: a,
    location_server_url: 'http://lab-pc:8006/',
  };
  expect(getLabIdentity({ managerName: 'Bench', context })).toEqual(lab('Bench', a, 'http://lab-pc:8006/'));
});
