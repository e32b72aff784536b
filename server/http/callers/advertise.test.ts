import { describe, expect, it } from 'vitest';
import type { LabContext } from '#api/lab/lab.ts';
import { adaptContext } from './advertise.ts';

const context: LabContext = {
  lab_server_url: 'http://localhost:8000/',
  event_server_url: 'http://127.0.0.1:8001/',
  experiment_server_url: 'http://lab-pc:8002/',
  resource_server_url: 'http://[::1]:8003/base/path/',
  data_server_url: null,
  workcell_server_url: 'https://0.0.0.0:8005/',
  location_server_url: 'http://192.0.2.9:8006/',
};
const otherMachine = { peer: '::ffff:192.0.2.7', local: '::ffff:192.0.2.2' };

describe('adaptContext', () => {
  it('returns the addresses of the settings without an advertised host', () => {
    expect(adaptContext(context, null, otherMachine)).toEqual(context);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('returns the unchanged addresses to %s', (peer) => {
    expect(adaptContext(context, 'lab-pc', { peer, local: peer })).toEqual(context);
  });

  it('replaces only loopback hosts and keeps ports and paths', () => {
    expect(adaptContext(context, 'bench-4', otherMachine)).toEqual({
      ...context,
      lab_server_url: 'http://bench-4:8000/',
      event_server_url: 'http://bench-4:8001/',
      resource_server_url: 'http://bench-4:8003/base/path/',
      workcell_server_url: 'https://bench-4:8005/',
    });
  });

  it('uses the address that the other machine connected to as the host “auto”', () => {
    expect(adaptContext(context, 'auto', otherMachine).lab_server_url).toBe('http://192.0.2.2:8000/');
    expect(adaptContext(context, 'auto', { peer: 'fd00::7', local: 'fd00::2' }).event_server_url).toBe(
      'http://[fd00::2]:8001/',
    );
    const zoned = { peer: 'fe80::7%eth0', local: 'fe80::2%eth0' };
    expect(adaptContext(context, 'auto', zoned).event_server_url).toBe('http://[fe80::2]:8001/');
  });

  it('does not modify its argument', () => {
    const before = structuredClone(context);
    adaptContext(context, 'auto', otherMachine);
    expect(context).toEqual(before);
  });
});
