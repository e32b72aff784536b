import { describe, expect, it } from 'vitest';
import { healthUrl } from './probe.ts';

describe('healthUrl', () => {
  it.each([
    ['http://h:8005/', 'http://h:8005/health'],
    ['http://h:8005', 'http://h:8005/health'],
    ['http://h:8005/base/', 'http://h:8005/base/health'],
    ['http://h:8005/base//', 'http://h:8005/base/health'],
    ['https://h/a/b?x=1#y', 'https://h/a/b/health'],
  ])('of %s is %s', (base, url) => {
    expect(healthUrl(base).href).toBe(url);
  });
});
