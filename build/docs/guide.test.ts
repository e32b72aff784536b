/**
 * Compares the user guide with the program: link targets exist, and settings, options and the posted
 * notification match.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { incidentKey, notificationKinds } from '../../server/channels/channel.ts';
import { webhookChannels } from '../../server/channels/webhookFormats.ts';
import { programOptions } from '../../server/settings/parse/commandLine.ts';
import { toAnchor } from '../guide/render.ts';
import { findByEnvName, findByFileKey, findByOption } from '../../server/settings/schema/names.ts';

const guideDir = join(import.meta.dirname, '../../docs/guide');
const pages = readdirSync(guideDir).filter((file) => file.endsWith('.md'));
const programNames = new Set<string>(Object.values(programOptions).flatMap(({ names }) => [...names]));
/** Switches that Chromium handles before the app reads the command line. */
const chromiumSwitches = new Set(['--no-sandbox']);

const fence = /^([ \t]*)```(\w*)\n([\s\S]*?)^\1```$/gm;
const codeSpan = /`([^`\n]+)`/g;

function readPage(page: string): string {
  return readFileSync(join(guideDir, page), 'utf8');
}

/** Returns the code blocks in a language. */
function codeBlocks(text: string, language: string): string[] {
  return [...text.matchAll(fence)].flatMap(([, , fenceLanguage, code = '']) =>
    fenceLanguage === language ? [code] : [],
  );
}

/** Returns the targets of links and pictures that are not URLs. */
function relativeLinks(text: string): string[] {
  const prose = text.replaceAll(fence, '').replaceAll(codeSpan, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** Returns the link anchors of the headings, as GitHub generates them. */
function headingAnchors(text: string): Set<string> {
  const headings = text.replaceAll(fence, '').matchAll(/^#+ (.+)$/gm);
  return new Set([...headings].map(([, heading = '']) => toAnchor(heading)));
}

/**
 * Returns the product's options in a code span that begins with an option or runs the product. Options of other
 * programs are left out.
 */
function findOptions(code: string): string[] {
  const command = code.startsWith('podman ') ? code.replace(/^podman (?:exec \S+ )?/, '') : code;
  if (command.startsWith('run ')) return [];
  const ownCommand = command.startsWith('-')
    ? command
    : (/(?:^|\s)(?:lab-manager|npm (?:start|run server) --)\s(.*)$/.exec(command)?.[1] ?? '');
  return [...ownCommand.matchAll(/(?:^|\s)(-h|--[a-z][\w-]*)/g)].map(([, option = '']) => option);
}

function codeTexts(text: string): string[] {
  const lines = codeBlocks(text, 'sh').flatMap((block) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.trim()),
  );
  const spans = [...text.replaceAll(fence, '').matchAll(codeSpan)].map(([, code = '']) => code);
  return [...lines, ...spans];
}

describe('the checks of the guide', () => {
  it.each([
    ['--settings-dir DIR', ['--settings-dir']],
    ['lab-manager --headless --lab-listen-port 8010', ['--headless', '--lab-listen-port']],
    ['npm run server -- --status', ['--status']],
    ['podman exec lab-manager lab-manager --status', ['--status']],
    ['podman run --name lab-manager --read-only', []],
    ['sudo systemctl enable --now lab-manager', []],
    ['sudo firewall-cmd --reload', []],
  ])('find the options of %s', (code, options) => {
    expect(findOptions(code)).toEqual(options);
  });

  it('find links and pictures, but no web addresses and no links in code', () => {
    const text = 'See [a](b.md#c), ![d](../e.png), [f](https://g.org) and `[h](i)`.\n```sh\n[j](k)\n```\n';
    expect(relativeLinks(text)).toEqual(['b.md#c', '../e.png']);
  });

  it('generate the same anchors as GitHub', () => {
    expect(headingAnchors('# In a chat: webhooks\n\n## Pages (CORS)\n')).toEqual(
      new Set(['in-a-chat-webhooks', 'pages-cors']),
    );
  });
});

describe.each(pages)('%s', (page) => {
  const text = readPage(page);

  it('links only to existing files and headings', () => {
    const brokenLinks = relativeLinks(text).filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? join(guideDir, page) : resolve(guideDir, path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !headingAnchors(readFileSync(target, 'utf8')).has(anchor);
    });
    expect(brokenLinks).toEqual([]);
  });

  it('names only existing settings', () => {
    const names = text.match(/\b(?:LAB_[A-Z_]+|[A-Z]+_SERVER_URL)\b/g) ?? [];
    expect(names.filter((name) => findByEnvName(name) === null)).toEqual([]);
    const keys = codeBlocks(text, 'yaml').flatMap((block) => Object.keys(Object(parse(block))));
    expect(keys.filter((key) => findByFileKey(key, 'lab') === null)).toEqual([]);
  });

  it('names only existing options', () => {
    const options = codeTexts(text).flatMap(findOptions);
    const isKnown = (option: string) =>
      programNames.has(option) || chromiumSwitches.has(option) || findByOption(option) !== null;
    expect(options.filter((option) => !isKnown(option))).toEqual([]);
  });
});

it('the index of the guide links every page', () => {
  const linked = new Set(relativeLinks(readPage('README.md')));
  expect(pages.filter((page) => page !== 'README.md' && !linked.has(page))).toEqual([]);
});

it('the guide names every command-line option that is not a setting', () => {
  const named = new Set(pages.flatMap((page) => codeTexts(readPage(page))).flatMap(findOptions));
  const missing = Object.values(programOptions).filter(({ names }) => !names.some((name) => named.has(name)));
  expect(missing.map(({ names }) => names[0])).toEqual([]);
});

it('the guide shows the JSON of a notification as it is posted, and its schema', () => {
  const [example = '', schema = ''] = codeBlocks(readPage('notifications.md'), 'json');
  const sender = { labName: 'Bench 4', url: 'http://lab-pc:8000/' };
  const posted = webhookChannels.json.request(
    {
      kind: 'node',
      level: 'problem',
      title: 'robotarm_1: error',
      body: 'motor stalled',
      path: '/workcells/nodes/robotarm_1',
      at: Date.UTC(2026, 2, 2, 14, 2, 11),
      since: Date.UTC(2026, 2, 2, 14, 1, 52),
      subjects: ['node robotarm_1'],
      incidents: ['problem node robotarm_1 2026-03-02T14:01:52.000Z'],
    },
    sender,
    incidentKey(['problem node robotarm_1 2026-03-02T14:01:52.000Z'], sender),
  );
  const body: unknown = JSON.parse(posted.body);
  expect(JSON.parse(example)).toEqual(body);
  expect(JSON.parse(schema)).toMatchObject({
    required: Object.keys(Object(body)),
    properties: { kind: { enum: notificationKinds }, level: { enum: ['problem', 'recovery', 'info'] } },
  });
});
