import { describe, expect, it } from 'vitest';
import { testUser } from '../fixtures/testUsers.ts';
import { BusyError, parseHash, passwordProblem, Passwords } from './passwords.ts';

// testUser hashes with fewer rounds than Passwords.
const cheapHash = testUser('ann', 'operator', 'a long password').password;

describe('Passwords', () => {
  it('verifies its own hashes, which contain a new salt and the parameters', async () => {
    const passwords = new Passwords();
    const [firstHash, secondHash] = [await passwords.hash('a long password'), await passwords.hash('a long password')];
    expect(firstHash).toMatch(/^scrypt:32768:8:3:/);
    expect(firstHash).not.toBe(secondHash);
    expect(await passwords.verify('a long password', firstHash)).toBe(true);
    expect(await passwords.verify('a long password!', firstHash)).toBe(false);
  });

  it('verifies hashes with other parameters', async () => {
    const passwords = new Passwords();
    expect(await passwords.verify('a long password', cheapHash)).toBe(true);
    expect(await passwords.verify('another password', cheapHash)).toBe(false);
  });

  it('accepts each Unicode normalization form of the same password', async () => {
    const composed = testUser('ann', 'viewer', 'caf\u00e9 au lait').password;
    expect(await new Passwords().verify('cafe\u0301 au lait', composed)).toBe(true);
  });

  it.each(['', 'a long password', '\0'.repeat(32)])('accepts no password for an unknown user: %j', async (password) => {
    expect(await new Passwords().verify(password, null)).toBe(false);
  });

  it('rejects with BusyError beyond the limit of pending checks, and accepts further ones after these have finished', async () => {
    const passwords = new Passwords(2);
    const pending = [1, 2].map(() => passwords.verify('a long password', cheapHash));
    await expect(passwords.verify('a long password', cheapHash)).rejects.toThrow(BusyError);
    expect(await Promise.all(pending)).toEqual([true, true]);
    expect(await passwords.verify('a long password', cheapHash)).toBe(true);
  });
});

it('a user at a known address has a place while others wait', async () => {
  const passwords = new Passwords(1, 1);
  const pending = [passwords.verify('a long password', cheapHash)];
  await expect(passwords.verify('a long password', cheapHash)).rejects.toThrow(BusyError);
  pending.push(passwords.verify('a long password', cheapHash, true));
  await expect(passwords.verify('a long password', cheapHash, true)).rejects.toThrow(BusyError);
  expect(await Promise.all(pending)).toEqual([true, true]);
});

it('a user at a known address signs in before all guesses that wait', async () => {
  const passwords = new Passwords();
  const order: string[] = [];
  const verify = async (name: string, isKnown = false) => {
    await passwords.verify('a long password', cheapHash, isKnown);
    order.push(name);
  };
  await Promise.all([
    ...Array.from({ length: 8 }, (_, index) => verify(`guess ${index}`)),
    verify('ann', true),
    verify('bob', true),
  ]);
  expect(order.slice(0, 4)).toEqual(['guess 0', 'ann', 'bob', 'guess 1']);
});

describe('parseHash', () => {
  const [salt, hash] = ['A'.repeat(22), 'A'.repeat(43)];
  it.each([
    ['a hash with 1 GiB of memory', `scrypt:1048576:8:1:${salt}:${hash}`],
    ['a hash with a very large block size', `scrypt:32768:99:1:${salt}:${hash}`],
    ['a hash with many repetitions', `scrypt:32768:8:99:${salt}:${hash}`],
    ['a hash with a cost that is not a power of two', `scrypt:32767:8:3:${salt}:${hash}`],
    ['a hash with a cost of 0', `scrypt:0:8:3:${salt}:${hash}`],
    ['a hash with an empty salt', `scrypt:32768:8:3::${hash}`],
    ['a hash that is too short', `scrypt:32768:8:3:${salt}:AAAA`],
    ['a hash of another algorithm', '$2b$10$abcdefghijklmnopqrstuv'],
    ['an empty text', ''],
  ])('rejects %s', (_name, text) => {
    expect(parseHash(text)).toBeNull();
  });
});

it.each([
  ['123456789', 'has 9 characters; use at least 10'],
  ['1234567890', null],
  ['🔑'.repeat(9), 'has 9 characters; use at least 10'],
  ['x'.repeat(257), 'has more than 256 characters'],
])('passwordProblem of %j is %j', (password, problem) => {
  expect(passwordProblem(password)).toBe(problem);
});
