import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type {} from '../fastify-request';
import type { UploadBody } from './upload-body';
import { FORM, rulesOf, type UploadOptions, type UploadRules } from './upload-options';

/** What stands under this name in an operation becomes its body in the document (`openapi-operations.ts`). */
export const UPLOAD_EXTENSION = 'x-upload';

const rules = new WeakMap<object, UploadRules>();

/** What the handler of an upload says of its body; undefined for others. */
export function uploadRulesOf(handler: object): UploadRules | undefined {
  return rules.get(handler);
}

const BINARY = { type: 'string', format: 'binary' };

/**
 * The body of this route is a form with files, or a file as it is, and comes as a stream: nothing of it is read before the guards
 * have passed the request, and nothing of it is kept. The handler reads it with `@Uploaded()`.
 */
export function Upload(options: UploadOptions): MethodDecorator {
  const form = { type: 'object', properties: options.form ?? { file: BINARY } };
  const content = options.types.map((type) => [type, { schema: type === FORM ? form : BINARY }] as const);
  const upload = rulesOf(options);
  const note: MethodDecorator = (_target, _name, descriptor) => void rules.set(descriptor.value as object, upload);
  return applyDecorators(note, RouteConfig({ upload }), ApiExtension(UPLOAD_EXTENSION, Object.fromEntries(content)));
}

/** The body of a route with `@Upload`: `@Uploaded() body: UploadBody`. */
export const Uploaded = createParamDecorator(
  (_data: unknown, context: ExecutionContext): UploadBody | null =>
    context.switchToHttp().getRequest<FastifyRequest>().upload,
);
