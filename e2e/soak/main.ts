/** `npm run soak`: see CONTRIBUTING. Ends with 1 where a page contradicted the managers. */
import { parseArgs } from 'node:util';
import { soak, tell } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    workflows: { type: 'string', default: '40' },
    steps: { type: 'string', default: '300' },
  },
});
const number = (name: keyof typeof values): number => {
  const value = Number(values[name]);
  if (!(value > 0)) throw new Error(`--${name} ${values[name]}: it must be a number above 0`);
  return value;
};
const log = (line: string) => void process.stdout.write(`${line}\n`);

const { contradictions, sentences } = await soak({
  minutes: number('minutes'),
  workflows: number('workflows'),
  steps: number('steps'),
  log,
});
for (const line of tell(contradictions)) log(line);
log(`${sentences} sentences compared, ${contradictions.length} contradictions`);
process.exit(contradictions.length === 0 && sentences > 0 ? 0 : 1);
