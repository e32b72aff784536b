import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readNewPassword } from './terminal.ts';

function streams(isTTY: boolean) {
  const [input, output] = [Object.assign(new PassThrough(), { isTTY }), new PassThrough()];
  const shown: string[] = [];
  output.on('data', (chunk: Buffer) => shown.push(chunk.toString()));
  return { input, output, shown };
}

describe('readNewPassword', () => {
  it('reads a password twice from a terminal and never shows it', async () => {
    const { input, output, shown } = streams(true);
    const read = readNewPassword('ann', { input, output });
    input.write('a long passw\u0020\u007ford\r');
    input.write('a long password\r');
    expect(await read).toBe('a long password');
    expect(shown.join('')).toBe('New password of ann: \nAgain: \n');
  });

  it('refuses two different passwords', async () => {
    const { input, output } = streams(true);
    const read = readNewPassword('ann', { input, output });
    input.write('a long password\ranother password\r');
    await expect(read).rejects.toThrow('The two passwords are different');
  });

  it('rejects on Ctrl+C and at the end of the input', async () => {
    const { input, output } = streams(true);
    const interrupted = readNewPassword('ann', { input, output });
    input.write('a long\u0003');
    await expect(interrupted).rejects.toThrow('No password was entered');
    const ended = streams(false);
    ended.input.end();
    await expect(readNewPassword('ann', ended)).rejects.toThrow('No password was entered');
  });

  it('reads the first line of a script’s input, without prompts', async () => {
    const { input, output, shown } = streams(false);
    input.end('a long password\r\nanother line\n');
    expect(await readNewPassword('ann', { input, output })).toBe('a long password');
    expect(shown).toEqual([]);
  });
});
