/** A new node: the validation of its input, and the command that adds it with its premise. */
import type { Node } from '#api/managers/node.ts';
import type { Nodes, workcellApi } from '#api/managers/workcell.ts';
import { resultFromConfirmation, type CommandResult } from '../../managers/commands/commandResult.ts';
import { samePremise, type Premise } from '../../managers/commands/premise.ts';
import type { Connection } from '../../managers/transport/clients.ts';
import { workcellTexts } from './texts.ts';
import { isSilaAddress } from '#api/hosts.ts';
import { tryParseUrl } from '#api/url.ts';

const texts = workcellTexts.add;

/** Returns the problem of the name; empty if valid. */
export function nameProblem(name: string, existingNames: readonly string[]): string {
  const trimmedName = name.trim();
  if (trimmedName === '') return texts.needName;
  if (/[/\\]/.test(trimmedName) || /^\.+$/.test(trimmedName))
    return 'A name can’t contain a slash or consist only of dots.';
  return existingNames.includes(trimmedName) ? `There is a node ${trimmedName} already.` : '';
}

/** Returns the normalized address; `null` if invalid. */
export function readAddress(text: string): string | null {
  const trimmedText = text.trim();
  const url = /^(?:https?|sila):\/\/[^/?#][^?#]*$/i.test(trimmedText) ? tryParseUrl(trimmedText) : null;
  return url?.username === '' && url.password === '' ? url.href : null;
}

export function addressProblem(text: string): string {
  if (text.trim() === '') return 'Enter an address.';
  return readAddress(text) === null
    ? 'An address begins with http://, https:// or sila:// and names a host, for example http://lab-pc:2000/.'
    : '';
}

/** Returns a note if a valid address has no port; otherwise empty. */
export function addressNote(text: string): string {
  const address = readAddress(text);
  if (address === null || new URL(address).port !== '') return '';
  return isSilaAddress(address)
    ? 'Without a port, 50052 applies.'
    : 'Without a port the default applies (80 or 443); nodes usually have 2000 or above.';
}

/** The request for a new node, and the expected response. `url` is the result of `readAddress`. */
export function createAddNodeCommand(manager: () => Connection<typeof workcellApi>, name: string, url: string) {
  return {
    premise: newNodePremise(manager, name),
    run: () => manager().commands.addNode({ node_name: name, node_url: url }),
    interpretResponse: ({ node_url: storedUrl }: Node): CommandResult =>
      resultFromConfirmation(
        readAddress(storedUrl ?? '') === url,
        'It is added; the workcell manager now tries to reach it.',
        `The workcell manager reports the address “${storedUrl ?? ''}”. Check the state before trying again.`,
      ),
  };
}

/** The manager would silently replace a node of the same name. */
function newNodePremise(manager: () => Pick<Connection<typeof workcellApi>, 'queries'>, name: string): Premise<Nodes> {
  return {
    read: async (options) => manager().queries.getNodes({}, options),
    evaluate: (now) =>
      Object.hasOwn(now, name)
        ? { kind: 'refused', reason: `The workcell has a node ${name} now, and would replace it.` }
        : samePremise,
  };
}
