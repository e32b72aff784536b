/** Another machine's lab manager with a `/context` that the test sets. */
import http from 'node:http';
import { contextKey, managerKeys } from '#api/managers.ts';
import { pickFreePort, type FakeLab } from '../managers.ts';

export class OtherLabManager {
  context: unknown = {};
  #server: http.Server | null = null;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  /** Returns a correct context: the addresses of `lab`. */
  createContext(lab: FakeLab): Record<string, string> {
    const addresses = managerKeys.map((key) => [contextKey(key), lab.managers[key].url] as const);
    return { lab_server_url: this.url, ...Object.fromEntries(addresses) };
  }

  /** Listens, on its former port if it had one. */
  async start(): Promise<void> {
    const server = http.createServer((request, response) => {
      const settings = { settings: { manager_type: 'lab_manager', manager_name: 'Other Lab' } };
      const body = request.url === '/context' ? this.context : request.url === '/settings' ? settings : null;
      response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body ?? { detail: 'Not Found' }));
    });
    if (this.#port === 0) this.#port = await pickFreePort();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (!server) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}
