// @ts-check
/**
 * Lab managers of a thousand labs in one process: `/N/summary` of each, most of them healthy. Sends its address to its
 * parent.
 */
import { createServer } from 'node:http';

/** The headers of the service's responses. */
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'x-ratelimit-limit': '300',
  'x-ratelimit-remaining': '299',
};
const since = new Date(Date.now() - 3_600_000).toISOString();

/** @param {number} lab */
function createSummary(lab) {
  const state = lab % 50 === 0 ? 'down' : lab % 20 === 0 ? 'degraded' : 'healthy';
  const from = new Date(Date.now() - lab * 1000).toISOString();
  const isOpen = state !== 'healthy';
  return {
    service: { name: 'lab-manager', version: '0.1.0' },
    now: new Date().toISOString(),
    lab_name: `Lab ${lab}`,
    state,
    since,
    managers: { healthy: isOpen ? 3 : 6, total: 6 },
    nodes: { busy: lab % 3, ready: 5 },
    workflows: { queued: lab % 4, running: lab % 3, paused: 0 },
    incidents: {
      open: isOpen ? 1 : 0,
      last: { name: 'Data Manager', reason: 'Failed to connect', from, to: isOpen ? null : from },
    },
    safety_stop: { at: since, machine: `lab-pc-${lab}`, in_force: lab % 200 === 7, unconfirmed: 0 },
    stops_read: true,
  };
}

const server = createServer((request, response) => {
  const [, lab, path] = (request.url ?? '').split('/');
  if (path !== 'summary') return void response.writeHead(404).end('{"detail":"Not Found"}');
  response.writeHead(200, headers).end(JSON.stringify(createSummary(Number(lab))));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(`http://127.0.0.1:${address.port}/`);
});
