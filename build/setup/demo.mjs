// @ts-check
/** `npm run demo`: starts only the simulated lab, for use with any lab manager or tool. */
import { command, runBuilt } from './prepare.mjs';

await command(() => runBuilt('demo'));
