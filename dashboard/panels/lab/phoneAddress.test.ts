import { describe, expect, it } from 'vitest';
import type { LabContext } from '#api/lab/lab.ts';
import type { SettingsResponse } from '#api/lab/settings.ts';
import { findPhoneAddress } from './phoneAddress.ts';

const contextWith = (lab: string | null): LabContext => ({
  lab_server_url: lab,
  event_server_url: null,
  experiment_server_url: null,
  resource_server_url: null,
  data_server_url: null,
  workcell_server_url: null,
  location_server_url: null,
});
const localhost = 'http://localhost:8000/';
const addressOrReason = (
  page: string,
  lab: string | null,
  settings: SettingsResponse['settings'] = {},
  isDemo = false,
): string => {
  const result = findPhoneAddress({ page, isDemo, context: contextWith(lab), settings: { settings, sources: {} } });
  return result.kind === 'address' ? result.address : result.reason;
};

describe('findPhoneAddress', () => {
  it.each([
    ['http://lab-pc:8000/', 'http://lab-pc:8000/'],
    ['https://proxy.example.org/bench/', 'https://proxy.example.org/bench/'],
  ])('returns the address of a page opened at %s', (page, expected) => {
    expect(addressOrReason(page, localhost, { listen_host: '127.0.0.1' })).toBe(expected);
  });

  it.each([
    ['LAB_SERVER_URL', 'https://lab.example.org/', { listen_host: '127.0.0.1' }, 'https://lab.example.org/'],
    ['the host of LAB_ADVERTISED_HOST', localhost, { advertised_host: 'bench-1' }, 'http://bench-1:8000/'],
    [
      'the advertised host if the service listens on all interfaces',
      localhost,
      { advertised_host: '10.0.0.4', listen_host: '0.0.0.0' },
      'http://10.0.0.4:8000/',
    ],
  ])('returns %s for a page opened at a loopback address', (_what, lab, settings, expected) => {
    expect(addressOrReason('http://127.0.0.1:8000/', lab, settings)).toBe(expected);
  });

  it.each([
    ['unnamed', {}, false],
    ['unnamed', { advertised_host: 'localhost' }, false],
    ['automatic', { advertised_host: 'auto' }, false],
    ['listensLocally', { advertised_host: 'bench-1', listen_host: '127.0.0.1' }, false],
    ['listensLocally', { advertised_host: 'bench-1', listen_host: '::1' }, false],
    ['demo', { advertised_host: 'bench-1' }, true],
  ])('returns the reason %s for the settings %o (demo lab: %j)', (reason, settings, isDemo) => {
    expect(addressOrReason('http://[::1]:8000/', localhost, settings, isDemo)).toBe(reason);
  });

  it('returns no address while the settings are unavailable and no address names this machine', () => {
    const input = { page: localhost, isDemo: false, context: contextWith(null), settings: undefined };
    expect(findPhoneAddress(input)).toEqual({ kind: 'missing', reason: 'unnamed' });
  });
});
