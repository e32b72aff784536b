// @ts-check
/** `npm run server`: runs the service without a window. */
import { command, runBuilt } from './prepare.mjs';

await command(() => runBuilt('server', { ...process.env, LAB_MANAGER_PROGRAM: 'npm run server --' }));
