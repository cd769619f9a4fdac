import {
  applyDecorators,
  createParamDecorator,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Patch,
  Post,
  SetMetadata,
} from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  type ApiOperationOptions,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { type ExpectedVersions, parseIfMatch } from './etag';
import { DEFAULT_LIMIT } from './list-query';
import type { ListParams } from './resource.service';
import type { Resource } from './resource';

/** Metadata key: the resource whose records a route answers, for field selection. */
export const ROUTE_RESOURCE = 'helpdesk:route-resource';

/** Names of a record in prose: `ticket comment`. */
const singularOf = (resource: Resource): string => resource.singular.replaceAll('_', ' ');
const oneOf = (resource: Resource): string =>
  `${/^[aeio]/.test(resource.singular) ? 'an' : 'a'} ${singularOf(resource)}`;
const pluralOf = (resource: Resource): string => resource.name.replaceAll('_', ' ');

interface RouteOptions {
  path?: string;
  summary?: string;
  description?: string;
  /** Query parameters beyond the standard ones: name to description. */
  query?: Record<string, string>;
}

/** `GET` of a list: every list parameter, filter and sort of the resource. */
export function ListRoute(resource: Resource, options: RouteOptions = {}): MethodDecorator {
  return applyDecorators(
    Get(options.path ?? ''),
    SetMetadata(ROUTE_RESOURCE, resource),
    operation(options, `List ${pluralOf(resource)}`),
    ApiExtraModels(resource.entity),
    ...pagingParameters,
    parameter(
      'sort',
      `One of ${Object.keys(resource.sort)
        .map((name) => `\`${name}\``)
        .join(
          ', ',
        )}; \`-\` before it for descending. Default \`${resource.defaultSort}\`${resource.search?.matches ? ', with `q` `-relevance`' : ''}.`,
    ),
    ...(resource.search
      ? [
          parameter(
            'q',
            `Free text over ${resource.search.over.join(', ')}; every word must occur, "quoted words" stay together.${resource.search.matches ? ' Inflected forms, missing accents and small mistakes are forgiven; the best matches come first.' : ''}`,
          ),
        ]
      : []),
    ...selectionParameters(resource),
    ...[...resource.filters].map(([name, filter]) =>
      ApiQuery({ name, required: false, description: filter.description, schema: filter.schema }),
    ),
    ApiResponse({
      status: 200,
      description: `A page of ${pluralOf(resource)}.`,
      schema: listSchema({ $ref: getSchemaPath(resource.entity) }),
    }),
  );
}

/** `GET` of one record. */
export function ReadRoute(resource: Resource, options: RouteOptions = {}): MethodDecorator {
  return applyDecorators(
    Get(options.path ?? ':id'),
    SetMetadata(ROUTE_RESOURCE, resource),
    operation(options, `Get one ${singularOf(resource)}`),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'ETag already held; 304 when it is still current.',
    }),
    ...recordAnswer(resource, 200, options),
  );
}

/** `POST` that creates a record. */
export function CreateRoute(resource: Resource, options: RouteOptions = {}): MethodDecorator {
  return applyDecorators(
    Post(options.path ?? ''),
    SetMetadata(ROUTE_RESOURCE, resource),
    operation(options, `Create ${oneOf(resource)}`),
    idempotencyHeader,
    ...recordAnswer(resource, 201, options),
  );
}

/** `PATCH` of one record: only what the body names changes. */
export function UpdateRoute(resource: Resource, options: RouteOptions = {}): MethodDecorator {
  return applyDecorators(
    Patch(options.path ?? ':id'),
    SetMetadata(ROUTE_RESOURCE, resource),
    operation(options, `Change ${oneOf(resource)}`),
    ifMatchHeader,
    ...recordAnswer(resource, 200, options),
  );
}

/** `DELETE` of one record; answers its last state. */
export function DeleteRoute(resource: Resource, options: RouteOptions = {}): MethodDecorator {
  return applyDecorators(
    Delete(options.path ?? ':id'),
    SetMetadata(ROUTE_RESOURCE, resource),
    operation(options, `Delete ${oneOf(resource)}`),
    ifMatchHeader,
    ...recordAnswer(resource, 200, options),
  );
}

/** `POST` that does something to a record and answers it with 200. */
export function ActionRoute(
  resource: Resource,
  path: string,
  options: RouteOptions & { summary: string },
): MethodDecorator {
  return applyDecorators(
    Post(path),
    HttpCode(200),
    SetMetadata(ROUTE_RESOURCE, resource),
    operation(options, options.summary),
    idempotencyHeader,
    ifMatchHeader,
    ...recordAnswer(resource, 200, options),
  );
}

/** Path and query of a list request. */
export const ListQuery = createParamDecorator((_data: unknown, context: ExecutionContext): ListParams => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const mark = request.url.indexOf('?');
  return {
    path: mark === -1 ? request.url : request.url.slice(0, mark),
    query: request.query as Record<string, string | undefined>,
  };
});

/** Query parameters as an object of texts. */
export const QueryParameters = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<FastifyRequest>().query as Record<string, string | undefined>,
);

/** The versions that `If-Match` accepts; null without the header. */
export const IfMatch = createParamDecorator((_data: unknown, context: ExecutionContext): ExpectedVersions =>
  parseIfMatch(context.switchToHttp().getRequest<FastifyRequest>().headers['if-match']),
);

const idempotencyHeader = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description:
    'Repeating the request with the same key within 24 hours answers the original response and does nothing.',
});
const ifMatchHeader = ApiHeader({
  name: 'If-Match',
  required: false,
  description: 'ETag the change is based on; 412 when the record has changed since.',
});

const pageParameters = [
  ApiQuery({
    name: 'page',
    required: false,
    schema: { type: 'integer', minimum: 1 },
    description: 'Page number, with `per_page`.',
  }),
  ApiQuery({
    name: 'per_page',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 100 },
    description: `Page size, default ${DEFAULT_LIMIT}.`,
  }),
  ApiQuery({
    name: 'offset',
    required: false,
    schema: { type: 'integer', minimum: 0 },
    description: 'Records to skip, with `limit`; instead of `page`.',
  }),
  ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 100 },
    description: `Page size, default ${DEFAULT_LIMIT}.`,
  }),
];

/** The query parameters that name a page, for a list that is no resource. */
export const PageParameters = (): MethodDecorator => applyDecorators(...pageParameters);

const pagingParameters = [
  ...pageParameters,
  ApiQuery({
    name: 'position',
    required: false,
    schema: { type: 'string' },
    description: 'Comes from `links.next` and `links.prev`: where the page begins, so that depth costs nothing.',
  }),
];

function operation(options: RouteOptions, summary: string): MethodDecorator {
  const details: ApiOperationOptions = { summary: options.summary ?? summary };
  return ApiOperation(options.description === undefined ? details : { ...details, description: options.description });
}

function parameter(name: string, description: string): MethodDecorator {
  return ApiQuery({ name, required: false, description, schema: { type: 'string' } });
}

/** The query parameters `fields`, `expand` and `include`. */
export function selectionParameters(resource: Resource): MethodDecorator[] {
  const relations = Object.keys(resource.expand);
  return [
    parameter('fields', 'Comma-separated names of the fields to return.'),
    ...(relations.length
      ? [
          parameter(
            'expand',
            `Comma-separated relations to embed: ${relations.map((name) => `\`${name}\``).join(', ')}.`,
          ),
          parameter('include', 'Alias of `expand`.'),
        ]
      : []),
  ];
}

function recordAnswer(resource: Resource, status: number, options: RouteOptions): MethodDecorator[] {
  return [
    ApiExtraModels(resource.entity),
    ...selectionParameters(resource),
    ...Object.entries(options.query ?? {}).map(([name, description]) => parameter(name, description)),
    ApiResponse({
      status,
      description: `The ${singularOf(resource)}.`,
      headers: { ETag: { description: 'Identifies this version of the record.', schema: { type: 'string' } } },
      schema: {
        type: 'object',
        required: ['data'],
        properties: {
          data: { $ref: getSchemaPath(resource.entity) },
          meta: { type: 'object', properties: { rate_limit_remaining: { type: 'integer' } } },
        },
      },
    }),
  ];
}

/** The envelope of a list of such items. */
export function listSchema(items: object): Record<string, unknown> {
  const integer = { type: 'integer' };
  const url = { type: 'string', format: 'uri' };
  return {
    type: 'object',
    required: ['data', 'meta', 'links'],
    properties: {
      data: { type: 'array', items },
      meta: {
        type: 'object',
        required: ['total', 'limit', 'offset', 'has_more'],
        properties: { total: integer, limit: integer, offset: integer, has_more: { type: 'boolean' } },
      },
      links: {
        type: 'object',
        required: ['first', 'next', 'prev', 'last'],
        properties: { first: url, next: { ...url, nullable: true }, prev: { ...url, nullable: true }, last: url },
      },
    },
  };
}
