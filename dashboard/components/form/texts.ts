export const schemaFormTexts = {
  sections: { args: 'Arguments', locations: 'Locations', files: 'Files' },
  noneSent: 'None will be sent',
  defaultIs: (value: string) => `Default: ${value}`,
  unset: 'Not given',
  item: (name: string, index: number) => `${name}, item ${index}`,
  removeItem: (name: string, index: number) => `Remove item ${index} of ${name}`,
  remove: (file: string) => `Remove ${file}`,
  notText: 'it is not a text file in UTF-8.',
  size: { byte: 'B', kilo: 'kB', mega: 'MB', giga: 'GB' },
  problems: {
    missing: 'Required.',
    missingFile: 'Select a file.',
    missingLocation: 'Select a location.',
    finite: 'Infinity and NaN can’t be sent.',
    storedAsZero: (text: string) => `A manager stores ${text} as 0. Enter 0 if that is meant.`,
    item: (index: number, problem: string) => `Item ${index}: ${problem}`,
    expectedType: (expected: string, actual: string) =>
      `It must be ${expected === 'true or false' ? expected : `a ${expected}`}, not ${actual}.`,
    json: (line: number, column: number, reason: string) => `Line ${line}, character ${column}: ${reason}`,
    notId: (text: string) =>
      text === ''
        ? 'Choose one, or enter its ID.'
        : `“${text}” is not in the list: choose one by its name, or enter its ID of 26 characters.`,
  },
  json: {
    ends: 'the text ends before the value is complete.',
    unsupported: (reason: string) => `${reason}.`,
    asText: (problem: string) => `${problem} To store it as text, enclose it in double quotes.`,
  },
  kinds: {
    null: 'None',
    string: 'a text',
    number: 'a number',
    boolean: 'true or false',
    list: 'a list',
    object: 'an object',
  },
} as const;
