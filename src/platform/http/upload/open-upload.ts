import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail, invalid } from '../../errors/api-error';
import type {} from '../fastify-request';
import { tooLarge } from './meter';
import { UploadBody } from './upload-body';
import type { UploadRules } from './upload-options';

/**
 * The body of a route with `@Upload`, of which nothing is read yet.
 *
 * @throws ApiError 413, 415 or 422 for what its headers tell already
 */
export function openUpload(request: FastifyRequest, reply: FastifyReply, rules: UploadRules): UploadBody {
  const { headers } = request.raw;
  const length = Number(headers['content-length'] ?? 0);
  if (length === 0 && headers['transfer-encoding'] === undefined) invalid('body', 'required', 'A body is required.');
  const type = (request.uploadType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    fail('unsupported_media_type', 'Send the body without a Content-Encoding.');
  if (!rules.types.some((allowed) => covers(allowed, type)))
    fail('unsupported_media_type', `Send the body as ${rules.types.join(' or ')}.`);
  if (length > rules.maxBytes) throw tooLarge(rules.maxBytes);
  // Nothing moves while the handler is slow: the body has deadlines of its own.
  request.raw.socket.setTimeout(0);
  const isKeyed = headers['idempotency-key'] !== undefined;
  const arriving = { request: request.raw, response: reply.raw, type, contentType: request.uploadType, isKeyed };
  return new UploadBody(arriving, rules);
}

/** @param allowed a media type, or a range of them (`image/*`) */
function covers(allowed: string, type: string): boolean {
  return allowed === type || (allowed.endsWith('/*') && (allowed === '*/*' || type.startsWith(allowed.slice(0, -1))));
}
