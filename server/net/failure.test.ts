import { describe, expect, it } from 'vitest';
import { connectionFailure } from './failure.ts';

const url = new URL('http://127.0.0.1:8003/health');

function createNodeError(code: string, fields: object = {}): Error {
  return Object.assign(new Error(`${code} as in Node`), { code, ...fields });
}

describe('connectionFailure', () => {
  it.each([
    [createNodeError('ECONNREFUSED', { address: '127.0.0.1', port: 8003 }), 'connection refused (127.0.0.1:8003)'],
    [createNodeError('ECONNRESET'), 'the connection was closed before a response arrived (127.0.0.1:8003)'],
    [createNodeError('EHOSTUNREACH'), 'no route to the host (127.0.0.1:8003)'],
    [createNodeError('ENETUNREACH'), 'network unreachable (127.0.0.1:8003)'],
    [createNodeError('EMFILE'), 'this machine has too many open files (127.0.0.1:8003)'],
    [createNodeError('EODD'), 'EODD as in Node (127.0.0.1:8003)'],
    [new Error(''), 'unknown error (127.0.0.1:8003)'],
    ['thrown text', 'thrown text (127.0.0.1:8003)'],
  ])('describes %s', (error, expected) => {
    expect(connectionFailure(error, url)).toBe(`Failed to connect: ${expected}`);
  });

  it('names the address that a name resolves to', () => {
    const named = new URL('http://lab-pc/health');
    const error = createNodeError('ECONNREFUSED', { address: '10.0.0.7', port: 80 });
    expect(connectionFailure(error, named)).toBe('Failed to connect: connection refused (lab-pc:80 = 10.0.0.7)');
    expect(connectionFailure(error, new URL('https://lab-pc/'))).toContain('(lab-pc:443 = 10.0.0.7)');
  });

  it('names only localhost for localhost, and one reason for its two addresses', () => {
    const both = Object.assign(new AggregateError([], 'all failed'), {
      errors: [
        createNodeError('ECONNREFUSED', { address: '::1' }),
        createNodeError('ECONNREFUSED', { address: '127.0.0.1' }),
      ],
    });
    expect(connectionFailure(both, new URL('http://localhost:8003/'))).toBe(
      'Failed to connect: connection refused (localhost:8003)',
    );
    expect(connectionFailure(createNodeError('ECONNREFUSED', { address: '::1' }), new URL('http://[::1]:8003/'))).toBe(
      'Failed to connect: connection refused ([::1]:8003)',
    );
  });

  it.each([
    ['ENOTFOUND', 'host not found: lab-pc'],
    ['EAI_AGAIN', 'host not found: lab-pc (the name server did not answer: EAI_AGAIN)'],
    ['CERT_HAS_EXPIRED', 'TLS: the certificate has expired (CERT_HAS_EXPIRED, lab-pc:8003)'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS: the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT, lab-pc:8003)'],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'TLS: the certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID, lab-pc:8003)',
    ],
    ['EPROTO', 'TLS: lab-pc:8003 does not speak TLS, which https requires, or refuses our version (EPROTO)'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /^TLS: lab-pc:8003 does not speak TLS/],
    ['HPE_INVALID_CONSTANT', 'answered with something that is not HTTP (lab-pc:8003)'],
  ])('describes the code %s', (code, expected) => {
    const actual = connectionFailure(createNodeError(code), new URL('https://lab-pc:8003/health'));
    expect(actual).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });
});
