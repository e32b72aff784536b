import { benchAppAtRest } from './desktop/appAtRest.ts';
console.log(JSON.stringify(await benchAppAtRest(process.env['LAB_MANAGER_RUNTIME'] ?? ''), null, 1));
