/** Checks whether the service can write its state, its log and the ID registry. */
import {
  accountText,
  findWriteRefusal,
  permitText,
  refusalText,
  type Account,
  type WriteRefusal,
} from '../../storage/writeAccess.ts';
import { finding, type Check, type Finding } from './check.ts';

export async function writeAccessFinding(
  refusals: readonly (WriteRefusal & { readonly use: string })[],
  account: Account,
): Promise<Finding> {
  const who = await accountText(account.uid);
  if (refusals.length === 0) return finding('ok', `The service can write them as ${who}.`);
  const places = await Promise.all(
    refusals.map(async (refusal) => `${refusal.use} (${refusal.folder}: ${await refusalText(refusal)})`),
  );
  return finding(
    'problem',
    `The service runs as ${who}, which can’t write: ${places.join('; ')}.`,
    permitText(refusals, account),
  );
}

export const writeAccess: Check = {
  id: 'write-access',
  title: 'State and log can be written',
  guide: 'troubleshooting.html#state-and-log-can-be-written',
  why: 'Without write access the history, maintenance, users, waiting messages, the log and the ID of the lab manager are lost when the service stops.',
  async run({ folders, registryFolder, account }) {
    if (account === null) return finding('unknown', 'Not checked on Windows.');
    const writtenPaths = [
      ...folders.filter(({ use }) => use !== 'settings'),
      ...(registryFolder === null ? [] : [{ use: 'ID registry', path: registryFolder }]),
    ];
    const problems = await Promise.all(
      writtenPaths.map(async ({ use, path }) => {
        const refusal = await findWriteRefusal(path, account);
        return refusal && { ...refusal, use };
      }),
    );
    return writeAccessFinding(
      problems.filter((refusal) => refusal !== null),
      account,
    );
  },
};
