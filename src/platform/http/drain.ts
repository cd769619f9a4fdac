import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

/**
 * Lets `close()` wait for requests in flight and for nothing else. Node itself waits for connections: one that a client
 * opened and never used, or keeps alive after its last answer, would hold the process until a timeout.
 */
export function drainOnClose(fastify: FastifyInstance): void {
  const sockets = new Map<Socket, number>();
  let closing = false;
  const settle = (socket: Socket): void => {
    // Ended, not destroyed: the last answer may still be on its way out.
    if (closing && sockets.get(socket) === 0) socket.destroySoon();
  };
  const count = (socket: Socket, difference: number): void => {
    const requests = sockets.get(socket);
    if (requests !== undefined) sockets.set(socket, requests + difference);
  };
  fastify.server.on('connection', (socket: Socket) => {
    sockets.set(socket, 0);
    socket.once('close', () => sockets.delete(socket));
    settle(socket);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    count(request.raw.socket, 1);
    reply.raw.once('close', () => {
      count(request.raw.socket, -1);
      settle(request.raw.socket);
    });
    done();
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) void reply.header('connection', 'close');
    done(null, payload);
  });
  fastify.addHook('preClose', (done) => {
    closing = true;
    for (const socket of sockets.keys()) settle(socket);
    done();
  });
}
