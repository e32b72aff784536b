import { describe, expect, it } from 'vitest';
import { labEndpoints } from './endpoints.ts';
import { foreignContext, labContext } from './lab.ts';

const example = labContext.parse(labEndpoints.find(({ path }) => path === '/context')?.example);

describe('foreignContext', () => {
  it('takes what a lab manager answers, managers that are switched off included', () => {
    expect(foreignContext.parse(example)).toEqual(example);
    expect(foreignContext.parse({ ...example, data_server_url: null }).data_server_url).toBeNull();
  });

  it.each([
    ['HTTP://Lab-PC:8001', 'http://lab-pc:8001/'],
    ['https://lab-pc:443/base', 'https://lab-pc/base'],
  ])('normalises %s', (address, normal) => {
    expect(foreignContext.parse({ ...example, event_server_url: address }).event_server_url).toBe(normal);
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://lab-pc/',
    'http://me:secret@lab-pc/',
    'http://lab-pc/?x=1',
    'http://lab-pc/#x',
    'lab-pc:8001',
    '',
    `http://lab-pc/${'x'.repeat(3000)}`,
    7,
    undefined,
    {},
  ])('refuses %j, and names its key', (address) => {
    const result = foreignContext.safeParse({ ...example, workcell_server_url: address });
    expect(result.error?.issues.map(({ path }) => path)).toEqual([['workcell_server_url']]);
  });
});
