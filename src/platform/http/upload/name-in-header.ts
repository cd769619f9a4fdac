import { parse as parseDisposition } from 'content-disposition';
import type { FastifyRequest } from 'fastify';
import { invalid } from '../../errors/api-error';

/** The name of a file that is the whole body: `Content-Disposition`, as in an answer. @throws ApiError 422 for a header that cannot be read */
export function nameInHeader({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const header = headers['content-disposition'];
  if (header === undefined) return null;
  try {
    return parseDisposition(header).parameters.filename ?? null;
  } catch {
    return invalid(
      'Content-Disposition',
      'format',
      'Content-Disposition cannot be read; it is attachment; filename="…", or filename*=UTF-8\'\'….',
    );
  }
}
