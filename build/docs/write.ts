/** `npm run docs`: writes what is generated in the documentation. */
import { writeFile } from 'node:fs/promises';
import { generatedReadme, readmePath } from './readme.ts';

await writeFile(readmePath, await generatedReadme());
