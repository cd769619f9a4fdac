import type { FastifyReply } from 'fastify';

/** Says that the answer depends on a header of the request, beside those that others have named. */
export function varyBy(header: string, reply: FastifyReply): void {
  const said = reply.getHeader('vary');
  void reply.header('vary', typeof said === 'string' && said !== '' ? `${said}, ${header}` : header);
}
