/** Which of the settings is the address of which manager: those can be tried. */
import { contextKey, managerKeys, type ManagerKey } from '../../../api/managers.ts';

export const addressKeys: ReadonlyMap<string, ManagerKey> = new Map(managerKeys.map((key) => [contextKey(key), key]));
