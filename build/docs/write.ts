/** `npm run docs`: writes what is generated in the documentation. */
import { writeFile } from 'node:fs/promises';
import { generatedSettings, settingsPath } from './settingsTable.ts';

await writeFile(settingsPath, await generatedSettings());
