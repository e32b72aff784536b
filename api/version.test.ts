import { describe, expect, it } from 'vitest';
import type { Api } from './client/endpoint.ts';
import { eventApi } from './managers/event.ts';
import { locationApi } from './managers/location.ts';
import { readLabVersion, unsupportedReason } from './version.ts';
import { workcellApi } from './managers/workcell.ts';

describe('the version of a lab', () => {
  it.each([
    ['0.7.1', '0.7'],
    ['0.6.2', '0.7'],
    ['0.8.1', '0.8'],
    ['v0.8.0rc1', '0.8'],
    ['0.10.0', '0.8'],
    ['1.0.0', '0.8'],
    ['', null],
    ['unknown', null],
    [null, null],
    [undefined, null],
  ])('readLabVersion reads %s as %s', (text, version) => {
    expect(readLabVersion(text)).toBe(version);
  });

  it('unsupportedReason explains what a 0.7 lab lacks and returns null for other versions', () => {
    expect(unsupportedReason('resubmitWorkflow', '0.7')).toMatch(/0\.7 cannot resubmit/);
    expect(unsupportedReason('resubmitWorkflow', '0.8')).toBeNull();
    expect(unsupportedReason('resubmitWorkflow', null)).toBeNull();
  });

  it('the endpoint tables mark one workcell endpoint and 17 location endpoints as new in 0.8', () => {
    const countNew = (api: Api) => Object.values(api.endpoints).filter((endpoint) => endpoint.since === '0.8').length;
    expect({ event: countNew(eventApi), workcell: countNew(workcellApi), location: countNew(locationApi) }).toEqual({
      event: 0,
      workcell: 1,
      location: 17,
    });
  });

  it('every path with a location’s name has a path with its ID for 0.7, and no other location path has one', () => {
    for (const endpoint of Object.values<Api['endpoints'][string]>(locationApi.endpoints))
      expect(endpoint.path07 ?? null, endpoint.path).toBe(
        endpoint.path.includes('{location_name}') ? endpoint.path.replace('{location_name}', '{location_id}') : null,
      );
  });
});
