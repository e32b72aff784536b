/** How things of this panel look that aren't states of workflows: taken from the one table. */
import { managerLooks, type StateLook } from '../../../api/states.ts';

export const failedLook: StateLook = managerLooks.unhealthy;
