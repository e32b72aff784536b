// @ts-check
/** `npm run demo`: the simulated lab alone, for any lab manager or tool. */
import { command, runBuilt } from './prepare.mjs';

await command(() => runBuilt('demo'));
