/**
 * Checks GitHub Actions workflows with the library of GitHub's editor extension. Run by tsx, because the library's JSON
 * imports don't work in Node. Arguments: files; by default those of the project.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { validate } from '@actions/languageservice';

const folder = '.github/workflows';
const paths = process.argv.slice(2);
const files = paths.length > 0 ? paths : readdirSync(folder).map((name) => `${folder}/${name}`);

for (const file of files) {
  // The library reads only these two members of a document.
  const document = { uri: `file:///${file}`, getText: () => readFileSync(file, 'utf8') };
  for (const { range, message } of await validate(document as Parameters<typeof validate>[0])) {
    process.stdout.write(`${file}:${range.start.line + 1}: ${message}\n`);
    process.exitCode = 1;
  }
}
