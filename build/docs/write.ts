/** `npm run docs`: writes the generated parts of the documentation. */
import { writeFile } from 'node:fs/promises';
import { generatedSettings, settingsPath } from './settingsTable.ts';

await writeFile(settingsPath, await generatedSettings());
