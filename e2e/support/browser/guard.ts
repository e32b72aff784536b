/** A guard on every page: no request leaves the machine, and the console has no errors or warnings. */
import type { BrowserContext, ConsoleMessage } from 'playwright';
import { tryParseUrl } from '#api/url.ts';

/** Records the offences of a test's pages: requests to other machines, console messages and uncaught errors. */
export class Guard {
  /** Hosts besides loopback that belong to this test. */
  readonly hosts = new Set<string>();
  /** Expected console messages, for example while a service is stopped. */
  readonly expected: RegExp[] = [];
  readonly #recorded: string[] = [];
  #ended = false;
  readonly #contexts: BrowserContext[] = [];
  /** Every requested address. */
  readonly requests: string[] = [];

  watch(context: BrowserContext): void {
    this.#contexts.push(context);
    context.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      this.requests.push(request.url());
      const isInside = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname) || this.hosts.has(hostname);
      if (!['data:', 'blob:', 'about:'].includes(protocol) && !isInside) this.#add(`requested ${request.url()}`);
    });
    context.on('console', (message) => {
      const isProblem = message.type() === 'error' || message.type() === 'warning';
      if (isProblem && !isFailedManagerRequest(message) && !isLateResize(message))
        this.#add(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => this.#add(`thrown: ${error.error().message}`));
  }

  /** Call this before the services of the test stop: requests that fail from then on are not recorded. */
  async end(): Promise<void> {
    this.#ended = true;
    const pages = this.#contexts.flatMap((context) => context.pages());
    // A route handler may still wait for such a request.
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
  }

  #add(offence: string): void {
    if (!this.#ended) this.#recorded.push(offence);
  }

  get offences(): string[] {
    return this.#recorded.filter((text) => !this.expected.some((pattern) => pattern.test(text)));
  }
}

/**
 * The browser logs every failed request. Tests provoke failures of managers, which have another origin than the page,
 * and check the page's reaction.
 */
function isFailedManagerRequest(message: ConsoleMessage): boolean {
  const text = message.text();
  if (/has been blocked by CORS policy/.test(text)) return true;
  const page = tryParseUrl(message.page()?.url() ?? '');
  const request = tryParseUrl(message.location().url);
  if (!text.startsWith('Failed to load resource') || request === null || page === null) return false;
  return request.origin !== page.origin;
}

/** A resize notification that arrives one frame late is no fault (`dashboard/app/faults.ts`). */
function isLateResize(message: ConsoleMessage): boolean {
  return message.text().startsWith('ResizeObserver loop');
}
