/**
 * A UDP socket for mDNS on one network, with the interface of `dgram.Socket` that bonjour-service uses. The library would
 * send by the default route only, accept messages from anywhere, and let an error in a handler end the process.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { EventEmitter, once } from 'node:events';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import type { Log } from '../logging/log.ts';
import { isInNetworks } from '../net/networks.ts';

/** The port and the IPv4 group of mDNS (RFC 6762). */
const port = 5353;
const group = '224.0.0.251';
/** The maximum length of a message (RFC 6762, section 17), in bytes. */
const maxBytes = 9000;
/** The maximum number of messages handled per second; a network with a hundred labs sends fewer. */
const maxMessages = 300;

/** An IPv4 network of this machine. */
export interface Network {
  /** This machine's address on it. */
  readonly address: string;
  /** The address with the length of the prefix: `10.0.0.5/24`. */
  readonly cidr: string;
}

export class MdnsSocket extends EventEmitter {
  readonly #socket: Socket;
  readonly #networks: readonly string[];
  readonly #log: Log;
  #second = 0;
  #messages = 0;

  private constructor(socket: Socket, { cidr }: Network, log: Log) {
    super();
    this.#socket = socket;
    this.#networks = [cidr];
    this.#log = log;
    socket.on('message', (message, sender) => this.#receive(message, sender));
    socket.on('error', (error) => log.debug(`mDNS on ${cidr}: ${errorText(error)}`));
  }

  /** Listens for mDNS on a network. @throws the error of the socket, such as EACCES */
  static async open(network: Network, log: Log): Promise<MdnsSocket> {
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    try {
      socket.bind(port, '0.0.0.0');
      await once(socket, 'listening');
      socket.addMembership(group, network.address);
      socket.setMulticastInterface(network.address);
      socket.setMulticastTTL(255);
      // Makes other programs on this machine visible as well.
      socket.setMulticastLoopback(true);
      return new MdnsSocket(socket, network, log);
    } catch (error) {
      socket.close();
      throw error;
    }
  }

  readonly send: Socket['send'] = (...parameters: unknown[]) =>
    Reflect.apply(this.#socket.send, this.#socket, parameters) as void;

  close(callback?: () => void): this {
    this.#socket.close(callback);
    return this;
  }

  #receive(message: Buffer, sender: RemoteInfo): void {
    if (message.length > maxBytes || !isInNetworks(sender.address, this.#networks)) return;
    const second = Math.floor(clock.monotonic() / 1000);
    this.#messages = second === this.#second ? this.#messages + 1 : 1;
    this.#second = second;
    if (this.#messages > maxMessages) return;
    try {
      this.emit('message', message, sender);
    } catch (error) {
      // The handlers are the library's, and the message may contain anything.
      this.#log.debug(`An mDNS message from ${sender.address} was not handled: ${errorText(error)}`);
    }
  }
}
