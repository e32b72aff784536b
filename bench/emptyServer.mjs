// @ts-check
/** A minimal service as a baseline: Node's HTTP server. */
import http from 'node:http';

http.createServer((_request, response) => void response.end('{}')).listen(Number(process.argv[2]));
