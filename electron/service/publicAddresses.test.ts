import { expect, it } from 'vitest';
import { publicAddresses } from './publicAddresses.ts';

const input = {
  serverUrl: 'http://localhost:8000/',
  port: 8000,
  listening: ['[::]:8000'],
  hostname: 'bench4',
  addresses: ['10.0.0.4', '192.168.1.4'],
};

it.each([
  ['every interface', {}, ['http://bench4:8000/', 'http://10.0.0.4:8000/', 'http://192.168.1.4:8000/']],
  ['a configured name', { serverUrl: 'https://lab.example/' }, ['https://lab.example/']],
  ['loopback only', { listening: ['127.0.0.1:8000'] }, []],
  ['loopback only with a configured name', { listening: ['127.0.0.1:8000'], serverUrl: 'http://bench4:8000/' }, []],
  ['one interface', { listening: ['10.0.0.4:8000', '127.0.0.1:8000'] }, ['http://10.0.0.4:8000/']],
  ['one IPv6 interface', { listening: ['[fd00::4]:8000'] }, ['http://[fd00::4]:8000/']],
  ['a machine without a name', { hostname: 'localhost' }, ['http://10.0.0.4:8000/', 'http://192.168.1.4:8000/']],
])('publicAddresses returns the addresses for %s', (_name, changes, expected) => {
  expect(publicAddresses({ ...input, ...changes })).toEqual(expected);
});
