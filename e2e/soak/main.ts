/** `npm run soak`: see CONTRIBUTING. Exits with 1 if a page contradicted the managers. */
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { settingsLines, startDemoLab } from '../../demo/lab/lab.ts';
import { chromiumOptions } from '../support/browser/chromium.ts';
import { startService } from '../support/service.ts';
import { DemoLoad, demoTiming } from './demoLoad.ts';
import { soak, describeContradictions } from './soak.ts';

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

const lab = await startDemoLab({ simulation: false, past: false, timing: demoTiming });
const service = await startService({ dashboard: 'built', files: { 'settings.yaml': settingsLines(lab) } });
const browser = await chromium.launch(chromiumOptions);
let hasPassed = false;
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 2000 } });
  const load = new DemoLoad(lab, number('steps'));
  const { contradictions, comparedTexts } = await soak({
    load,
    incident: load,
    context,
    url: service.url,
    minutes: number('minutes'),
    workflows: number('workflows'),
    recordIntervalMs: 40,
    log,
  });
  for (const line of describeContradictions(contradictions)) log(line);
  log(`${comparedTexts} texts compared, ${contradictions.length} contradictions`);
  hasPassed = contradictions.length === 0 && comparedTexts > 0;
} finally {
  await browser.close();
  await service.stop();
  await lab.stop();
}
process.exit(hasPassed ? 0 : 1);
