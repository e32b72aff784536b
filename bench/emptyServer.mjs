// @ts-check
/** The least a service can be: Node's own HTTP server. */
import http from 'node:http';

http.createServer((_request, response) => void response.end('{}')).listen(Number(process.argv[2]));
