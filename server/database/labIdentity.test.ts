import { expect, it } from 'vitest';
import { isSameLab, getLabIdentity, type LabIdentity } from './labIdentity.ts';

const [a, b] = ['http://10.0.0.1:8005/', 'http://10.0.0.2:8005/'];
const lab = (name: string | null, ...managers: string[]): LabIdentity => ({ name, managers });

it.each<[string, LabIdentity, LabIdentity, boolean]>([
  ['the same name', lab('Bench'), lab('Bench'), true],
  ['the same name and other managers', lab('Bench', a), lab('Bench', b), true],
  ['other names and a common manager', lab('Bench', a, b), lab('Culture', b), true],
  ['other names', lab('Bench'), lab('Culture'), false],
  ['other names and other managers', lab('Bench', a), lab('Culture', b), false],
  ['a name on one side and other managers', lab('Bench', a), lab(null, b), false],
  ['a name on one side and no managers', lab('Bench'), lab(null), true],
  ['nothing known', lab(null), lab(null), true],
])('two servers with %s belong to one lab: %o, %o, %s', (_name, first, second, expected) => {
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
