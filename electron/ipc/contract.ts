/** What the shell's own pages are shown, and the few things they may ask. Checked on arrival, both ways in. */
import * as z from 'zod/mini';
import { labStatus } from '../../api/lab.ts';
import { managerKeys } from '../../api/managers.ts';
import { managerStates } from '../../api/states.ts';

const problem = z.object({
  severity: z.enum(['error', 'warning']),
  /** `settings.yaml, line 12, column 3`, or the variable or option. */
  where: z.string(),
  key: z.nullable(z.string()),
  value: z.nullable(z.string()),
  message: z.string(),
  expected: z.nullable(z.string()),
  /** Whether there is a file to open. */
  hasFile: z.boolean(),
});

/** The page that the window shows when it isn't the dashboard. */
export const shellPage = z.discriminatedUnion('page', [
  z.object({ page: z.literal('starting'), message: z.string() }),
  z.object({
    page: z.literal('first-screen'),
    managers: z.array(
      z.object({
        manager: z.enum(managerKeys),
        name: z.string(),
        url: z.string(),
        state: z.enum(managerStates),
        reason: z.nullable(z.string()),
      }),
    ),
    settingsFile: z.string(),
  }),
  z.object({ page: z.literal('settings-error'), problems: z.array(problem) }),
  z.object({
    page: z.literal('port-taken'),
    port: z.int(),
    occupant: z.object({
      kind: z.enum(['ours', 'madsci', 'unknown']),
      url: z.string(),
      version: z.nullable(z.string()),
      name: z.nullable(z.string()),
      process: z.nullable(z.string()),
    }),
    freePort: z.int(),
    /** Why the other port is for this start only; `null` when it is kept in `settingsFile`. */
    temporaryBecause: z.nullable(z.string()),
    settingsFile: z.string(),
  }),
  z.object({
    page: z.literal('failed'),
    title: z.string(),
    reason: z.string(),
    logLines: z.array(z.string()),
    logFile: z.string(),
  }),
  z.object({ page: z.literal('lab'), lab: z.nullable(labStatus), because: z.string(), url: z.string() }),
  z.object({
    page: z.literal('about'),
    version: z.string(),
    runtime: z.array(z.object({ name: z.string(), version: z.string() })),
    isFallbackRuntime: z.boolean(),
    addresses: z.array(z.string()),
    paths: z.array(z.object({ name: z.string(), path: z.string() })),
    licences: z.string(),
  }),
]);
export type ShellPage = z.infer<typeof shellPage>;
export type PageOf<Name extends ShellPage['page']> = Extract<ShellPage, { page: Name }>;

const addresses = z.partialRecord(z.enum(managerKeys), z.string().check(z.maxLength(2000)));

/** What a page of the shell may ask. */
export const shellRequest = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('page'), about: z.boolean() }),
  z.object({ ask: z.literal('choose-folder') }),
  z.object({ ask: z.literal('test-address'), manager: z.enum(managerKeys), url: z.string().check(z.maxLength(2000)) }),
  z.object({ ask: z.literal('save-addresses'), addresses }),
  z.object({ ask: z.literal('open-dashboard') }),
  z.object({ ask: z.literal('start-demo') }),
  z.object({ ask: z.literal('try-again') }),
  z.object({ ask: z.literal('check-now') }),
  z.object({ ask: z.literal('open-problem'), index: z.int().check(z.minimum(0)) }),
  z.object({ ask: z.literal('use-occupant') }),
  z.object({ ask: z.literal('use-free-port') }),
  z.object({ ask: z.literal('show-log') }),
  z.object({ ask: z.literal('copy'), text: z.string().check(z.maxLength(20_000)) }),
  z.object({ ask: z.literal('quit') }),
]);
export type ShellRequest = z.infer<typeof shellRequest>;

/** Every request is answered: with a value of its own, or with what went wrong. */
export type ShellAnswer =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

/** What the preload script gives the shell's pages, and nobody else. */
export interface ShellBridge {
  ask(request: ShellRequest): Promise<ShellAnswer>;
  /** Calls `listener` with each page to show, the present one included. */
  onPage(listener: (page: ShellPage) => void): void;
}

export const channels = { ask: 'shell:ask', page: 'shell:page' } as const;
