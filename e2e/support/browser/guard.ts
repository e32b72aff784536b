/** A guard on every page: no request leaves the machine, and the console has no errors or warnings. */
import type { BrowserContext, ConsoleMessage } from 'playwright';

/** Records what a test's pages do although it is forbidden. */
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
      if (!['data:', 'blob:', 'about:'].includes(protocol) && !isInside) this.#add(`asked for ${request.url()}`);
    });
    context.on('console', (message) => {
      const isComplaint = message.type() === 'error' || message.type() === 'warning';
      if (isComplaint && !isAboutManager(message) && !isLateSize(message)) this.#add(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => this.#add(`thrown: ${error.error().message}`));
  }

  /** Called when the test is over: requests that fail because its services have stopped are no offence. */
  async end(): Promise<void> {
    this.#ended = true;
    const pages = this.#contexts.flatMap((context) => context.pages());
    // Nor is a route handler that still waits for one of these requests.
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
 * The browser logs every refused or unanswered request. A failed request to a manager, at another origin than the page,
 * is the manager's fault, which tests provoke; the page's reaction is checked on the page.
 */
function isAboutManager(message: ConsoleMessage): boolean {
  const text = message.text();
  if (/has been blocked by CORS policy/.test(text)) return true;
  const page = message.page()?.url() ?? '';
  const { url } = message.location();
  if (!text.startsWith('Failed to load resource') || !URL.canParse(url) || !URL.canParse(page)) return false;
  return new URL(url).origin !== new URL(page).origin;
}

/** A resize notification that arrives one frame late is no fault (`dashboard/app/faults.ts`). */
function isLateSize(message: ConsoleMessage): boolean {
  return message.text().startsWith('ResizeObserver loop');
}
