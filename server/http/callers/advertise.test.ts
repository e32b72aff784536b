import { describe, expect, it } from 'vitest';
import type { LabContext } from '../../../api/lab/lab.ts';
import { contextFor } from './advertise.ts';

const context: LabContext = {
  lab_server_url: 'http://localhost:8000/',
  event_server_url: 'http://127.0.0.1:8001/',
  experiment_server_url: 'http://lab-pc:8002/',
  resource_server_url: 'http://[::1]:8003/base/path/',
  data_server_url: null,
  workcell_server_url: 'https://0.0.0.0:8005/',
  location_server_url: 'http://192.0.2.9:8006/',
};
const other = { peer: '::ffff:192.0.2.7', local: '::ffff:192.0.2.2' };

describe('contextFor', () => {
  it('says what the settings say while no host is set', () => {
    expect(contextFor(context, null, other)).toEqual(context);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('gives %s the plain addresses', (peer) => {
    expect(contextFor(context, 'lab-pc', { peer, local: peer })).toEqual(context);
  });

  it('replaces loopback hosts alone, ports and paths kept', () => {
    expect(contextFor(context, 'bench-4', other)).toEqual({
      ...context,
      lab_server_url: 'http://bench-4:8000/',
      event_server_url: 'http://bench-4:8001/',
      resource_server_url: 'http://bench-4:8003/base/path/',
      workcell_server_url: 'https://bench-4:8005/',
    });
  });

  it('auto is the address that the other machine reached', () => {
    expect(contextFor(context, 'auto', other).lab_server_url).toBe('http://192.0.2.2:8000/');
    expect(contextFor(context, 'auto', { peer: 'fd00::7', local: 'fd00::2' }).event_server_url).toBe(
      'http://[fd00::2]:8001/',
    );
    const zoned = { peer: 'fe80::7%eth0', local: 'fe80::2%eth0' };
    expect(contextFor(context, 'auto', zoned).event_server_url).toBe('http://[fe80::2]:8001/');
  });

  it('never changes the context it was given', () => {
    const before = structuredClone(context);
    contextFor(context, 'auto', other);
    expect(context).toEqual(before);
  });
});
