/**
 * A lab on another machine (`OtherMachine.start`): a lab manager and, unless an argument contains the settings of other
 * managers, six managers. Prints `{"port": …, "managers": {"event": 41234, …}}` once it serves.
 */
import { managerKeys } from '#api/managers.ts';
import { startLab } from '../managers.ts';
import { startService } from '../service.ts';

const [input] = process.argv.slice(2);
const lab = input === undefined ? await startLab({}, '0.0.0.0') : null;
const settings = input ?? lab?.settings ?? '';
const service = await startService({ files: { 'settings.yaml': `lab_manager_name: Other Bench\n${settings}` } });
const managers = lab && Object.fromEntries(managerKeys.map((key) => [key, lab.managers[key].port]));
process.stdout.write(`${JSON.stringify({ port: service.port, managers })}\n`);
