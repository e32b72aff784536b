/** The two output streams of the command line, in lines. */
export interface Output {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

export const consoleOutput: Output = {
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
};
