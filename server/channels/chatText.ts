/** Escapes texts of the lab (names and reasons come from managers) for services that format text. */
import { headingParts, type Notification, type SendingLab } from './channel.ts';

/** Invisible; it splits a sequence that a receiver would otherwise interpret. */
const divider = '\u200b';

/**
 * Returns a text that Slack, Mattermost, Discord, Teams and ntfy show literally: no mention, no link, no formatting. They
 * have no common escape syntax, so a sequence that would start one is split or replaced by a similar character. An
 * underscore within a name stays, because none of them interprets it.
 */
export function plainForChat(text: string): string {
  return text
    .replaceAll('@', `@${divider}`)
    .replaceAll('://', `:${divider}//`)
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}${divider}.`)
    .replaceAll('](', `]${divider}(`)
    .replaceAll('||', `|${divider}|`)
    .replaceAll('*', '\u2217')
    .replaceAll('`', '\u02cb')
    .replaceAll('~', '\u223c')
    .replace(/(?<![\p{L}\d])_|_(?![\p{L}\d])/gu, '\uff3f')
    .replace(/^(\s*)([#>+-]|\d+[.)])(?=\s)/gm, `$1${divider}$2`);
}

/** Heading (in parts) and body of a notification for a chat. */
export function chatTexts(
  notification: Notification,
  { labName }: SendingLab,
): { readonly heading: readonly string[]; readonly body: string } {
  return { heading: headingParts(notification, labName).map(plainForChat), body: plainForChat(notification.body) };
}

/** A coloured circle for each level. */
export const levelSigns = { problem: '\u{1F534}', recovery: '\u{1F7E2}', info: '\u{1F535}' } as const;
