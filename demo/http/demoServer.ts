/** A loopback port that can close and reopen with the same number, like a stopped and restarted service. */
import type { Express } from 'express';
import { createServer, type Server } from 'node:http';

const host = '127.0.0.1';

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

export class DemoServer {
  readonly port: number;
  readonly #server: Server;
  #change: Promise<void> = Promise.resolve();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  /** @param port 0 for any free port */
  static async open(app: Express, port = 0): Promise<DemoServer> {
    const server = createServer(app);
    return new DemoServer(server, await listen(server, port));
  }

  /** Ends with a slash, like MADSci's addresses. */
  get url(): string {
    return `http://${host}:${this.port}/`;
  }

  /** Refuses new connections and cuts the open ones; has no effect if the port is closed. */
  stopListening(): Promise<void> {
    return this.#enqueue(async () => {
      if (!this.#server.listening) return;
      await new Promise<void>((resolve) => {
        this.#server.close(() => resolve());
        this.#server.closeAllConnections();
      });
    });
  }

  /** Listens again; has no effect if it already listens. */
  startListening(): Promise<void> {
    return this.#enqueue(async () => {
      if (!this.#server.listening) await listen(this.#server, this.port);
    });
  }

  /** Serializes changes in the order of the calls. */
  #enqueue(change: () => Promise<void>): Promise<void> {
    this.#change = this.#change.then(change, change);
    return this.#change;
  }
}
