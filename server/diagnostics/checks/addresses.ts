/** Addresses in `/context` that mean another machine than the one that is meant. */
import { serviceKeys, contextKey, managerTitle } from '../../../api/managers.ts';
import { isLoopbackHost } from '../../../api/hosts.ts';
import { nothingToDo, opening, withoutLab, type Check, type Finding, type LabFacts } from './check.ts';

const why =
  '“localhost” means the machine that reads it: other machines, and pages in their browsers, look for the services at themselves.';

export function addressesVerdict({ context, advertisedHost }: Pick<LabFacts, 'context' | 'advertisedHost'>): Finding {
  const own = serviceKeys.flatMap((key) => {
    const url = context[contextKey(key)];
    return url !== null && isLoopbackHost(new URL(url).hostname) ? [`${managerTitle(key)} ${url}`] : [];
  });
  if (own.length === 0)
    return {
      result: 'ok',
      what: 'Every address in /context can be used by other machines.',
      why,
      whatToDo: nothingToDo,
    };
  if (advertisedHost !== null)
    return {
      result: 'ok',
      what: `Other machines are told ${advertisedHost === 'auto' ? 'the address at which they reached this one' : advertisedHost} in place of localhost.`,
      why,
      whatToDo: nothingToDo,
    };
  return {
    result: 'warning',
    what: `Only this machine can use: ${own.join(', ')}.`,
    why,
    whatToDo:
      'Name this machine in these settings, or set LAB_ADVERTISED_HOST to auto. Nothing, where nobody else uses the lab.',
    fix: opening('open-settings', 'Open settings'),
  };
}

export const addresses: Check = {
  id: 'addresses',
  title: 'Addresses for other machines',
  run: ({ lab }) => Promise.resolve(lab === null ? withoutLab(why) : addressesVerdict(lab)),
};
