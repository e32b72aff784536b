import { describe, expect, it } from 'vitest';
import { addressProblem } from './channels.ts';

describe('addressProblem', () => {
  it.each([
    ['smtp://mail.lab/?from=lab@lab.example&to=ann@lab.example', null],
    ['smtps://u:p@mail.lab:465/?from=lab@lab.example&to=a@b.example&to=c@d.example', null],
    ['smtp://mail.lab/?to=ann@lab.example', 'has no valid sender: add ?from=lab@example.com'],
    ['smtp://mail.lab/?from=lab@lab.example', 'has no recipient: add &to=name@example.com'],
    ['smtp://mail.lab/?from=lab@lab.example&to=ann', 'has a recipient that is not an e-mail address'],
    [
      `smtp://mail.lab/?from=lab@lab.example&to=${Array.from({ length: 21 }, (_, n) => `a${n}@b.example`).join(',')}`,
      'has more than 20 recipients: use a mailing list',
    ],
    ['smtp://mail.lab/?from=lab@lab.example&to=a@b.example&ca=lab.pem', 'has a relative path as its ca'],
    ['smtp:///?from=lab@lab.example&to=a@b.example', 'names no mail server'],
    ['mailto:ann@lab.example', 'is no http, https, smtp or smtps address'],
  ])('returns for %s: %s', (address, problem) => {
    expect(addressProblem(address)).toBe(problem);
  });
});
