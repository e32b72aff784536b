/** The input and output of the command line: lines, and passwords, which are not shown. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';

/** The two output streams of the command line, in lines. */
export interface Output {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

export const consoleOutput: Output = {
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
};

/** The password was not entered. */
export class NoPasswordError extends Error {
  override readonly name = 'NoPasswordError';
}

interface Streams {
  readonly input: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>;
  readonly output: NodeJS.WritableStream;
}

/**
 * The new password: typed twice at a terminal, otherwise the first line of the input.
 * @throws {NoPasswordError} with a user-facing message
 */
export async function readNewPassword(
  name: string,
  { input, output }: Streams = { input: process.stdin, output: process.stderr },
): Promise<string> {
  const isTerminal = input.isTTY === true;
  const lines = createInterface({
    input,
    // Discards the output, because readline echoes what is typed.
    output: new Writable({ write: (_chunk, _encoding, done) => done() }),
    terminal: isTerminal,
    historySize: 0,
  });
  const answers = lines[Symbol.asyncIterator]();
  const next = async (prompt: string): Promise<string> => {
    if (isTerminal) output.write(prompt);
    const response = await answers.next();
    if (isTerminal) output.write('\n');
    if (response.done === true) throw new NoPasswordError('No password was entered');
    return response.value;
  };
  // In raw mode Ctrl+C sends no signal, so it has to end the input here.
  lines.once('SIGINT', () => lines.close());
  try {
    const password = await next(`New password of ${name}: `);
    if (isTerminal && (await next('Again: ')) !== password)
      throw new NoPasswordError('The two passwords are different');
    return password;
  } finally {
    lines.close();
  }
}
