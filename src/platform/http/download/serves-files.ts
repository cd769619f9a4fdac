import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiResponse } from '@nestjs/swagger';
import type {} from '../fastify-request';
import { contentRange, etag } from '../openapi-components';

/** A route that answers files of users, as a `StreamResult`: with headers that keep a browser from running them. */
export function ServesFiles(description: string, type = '*/*'): MethodDecorator {
  const content = { [type]: { schema: { type: 'string', format: 'binary' } } };
  return applyDecorators(
    RouteConfig({ servesFiles: true }),
    ApiResponse({ status: 200, description, content, headers: etag }),
    ApiResponse({
      status: 206,
      description: 'The part that `Range` names.',
      content,
      headers: { ...etag, ...contentRange },
    }),
    ApiResponse({
      status: 416,
      description: 'The file has no such part; `Content-Range` says how long it is.',
      headers: contentRange,
    }),
  );
}
