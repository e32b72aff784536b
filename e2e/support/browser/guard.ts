/** A guard on every page: nothing leaves the machine, nothing is complained of on the console. */
import type { BrowserContext, ConsoleMessage } from 'playwright';

/** What the pages of a test did that they must not do. */
export class Guard {
  /** Hosts besides loopback that are this test's own. */
  readonly hosts = new Set<string>();
  /** Complaints that a test provokes: a service that is stopped can't be read. */
  readonly expected: RegExp[] = [];
  readonly #seen: string[] = [];
  #ended = false;
  /** Every address that was asked for. */
  readonly requests: string[] = [];

  watch(context: BrowserContext): void {
    context.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      this.requests.push(request.url());
      const inside = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname) || this.hosts.has(hostname);
      if (!['data:', 'blob:', 'about:'].includes(protocol) && !inside) this.#add(`asked for ${request.url()}`);
    });
    context.on('console', (message) => {
      const isComplaint = message.type() === 'error' || message.type() === 'warning';
      if (isComplaint && !isAboutManager(message) && !isLateSize(message)) this.#add(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => this.#add(`thrown: ${error.error().message}`));
  }

  /** The test is over: that its services can't be reached any more is no offence. */
  end(): void {
    this.#ended = true;
  }

  #add(offence: string): void {
    if (!this.#ended) this.#seen.push(offence);
  }

  get offences(): string[] {
    return this.#seen.filter((text) => !this.expected.some((pattern) => pattern.test(text)));
  }
}

/**
 * A browser notes every request that is refused or not answered. Where it went to a manager, at another origin than the
 * page, that is the manager's doing, which tests provoke; what the page makes of it is on the page.
 */
function isAboutManager(message: ConsoleMessage): boolean {
  const text = message.text();
  if (/has been blocked by CORS policy/.test(text)) return true;
  const page = message.page()?.url() ?? '';
  const { url } = message.location();
  if (!text.startsWith('Failed to load resource') || !URL.canParse(url) || !URL.canParse(page)) return false;
  return new URL(url).origin !== new URL(page).origin;
}

/** That a size is told a frame late is no fault (`dashboard/app/faults.ts`). */
function isLateSize(message: ConsoleMessage): boolean {
  return message.text().startsWith('ResizeObserver loop');
}
