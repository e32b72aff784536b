/** The scheduler's reasons in words that people use. Pure. */
import { workcellTexts } from '../../app/texts/workcells.ts';

const texts = workcellTexts.now;

const patterns: readonly (readonly [RegExp, (node: string, rest: string) => string])[] = [
  [/^Node (\S+) not ready: (.+)$/, (node, rest) => texts.waitsFor(node, plain(rest))],
  [/^Node (\S+) is locked by another action$/, (node) => texts.waitsFor(node, texts.otherAction)],
  [/^Node (\S+) is reserved\b/, (node) => texts.waitsFor(node, texts.reserved)],
  [/^Waiting for Node (\S+) to be ready$/, (node) => texts.waitsFor(node, texts.notReadyNow)],
];

/** `Node is busy; Node is paused` → `it is busy, it is paused` */
function plain(description: string): string {
  return description
    .split('; ')
    .map((part) => part.replace(/^Node (?=is )/, 'it '))
    .join(', ');
}

/** `here`: the node that stands beside it already. */
export function waitingWords(reasons: readonly string[], here = ''): string {
  if (reasons.length === 0) return texts.noReason;
  return reasons
    .map((reason) => {
      for (const [pattern, words] of patterns) {
        const found = pattern.exec(reason);
        if (found !== null) return words(found[1] === here ? '' : (found[1] ?? ''), found[2] ?? '');
      }
      return texts.waits(reason);
    })
    .join('; ');
}
