/** The shell's safety stop as its pages show it. Pure. */
import type { StopOutcome } from '../../api/safetyStop.ts';
import type { StopView } from '../ipc/contract.ts';
import { canRelease, type StopReport, type StopRow } from './safetyStop.ts';

const held: Readonly<Record<string, string>> = { lock: 'locked', pause: 'paused', cancel: 'action cancelled' };

/** @param lab the lab and its machine: `Bench on lab-pc` */
export function stopView(lab: string, knownNodes: number, report: StopReport | null): StopView {
  if (report === null) return { lab, knownNodes, report: null };
  const { sentAt, isSending, rows } = report;
  const shown = rows.map((row) => ({ name: row.name, state: row.outcome.state, text: rowText(row) }));
  return {
    lab,
    knownNodes,
    report: { lab: report.lab, sentAt, isSending, canRelease: canRelease(report), rows: shown },
  };
}

function rowText({ outcome, attempt, released }: StopRow): string {
  if (released === 'sending') return 'Releasing';
  if (released === 'released') return 'Released';
  if (released !== null) return `Not released: ${released}`;
  const again = attempt > 1 ? ` Sent ${attempt} times.` : '';
  return `${outcomeText(outcome)}${again}`;
}

function outcomeText({ state, reason, did, direct }: StopOutcome): string {
  switch (state) {
    case 'sending':
      return 'Sent, no answer yet.';
    case 'confirmed':
      return direct ? 'Confirmed at the node’s own address.' : 'Confirmed.';
    case 'held':
      return `No safety stop: ${did.map((command) => held[command] ?? command).join(' and ')}. Use the hardware stop if it moves.`;
    case 'sent':
      return 'Sent, not confirmed.';
    case 'unknownCommand':
      return 'It has no safety stop, and accepted no other command.';
    case 'refused':
      return `Refused: ${reason}.`;
    case 'failed':
      return `Not reached: ${reason}.`;
  }
}
