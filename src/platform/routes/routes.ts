import {
  applyDecorators,
  createParamDecorator,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Patch,
  Post,
  Put,
  SetMetadata,
} from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOperation, ApiQuery, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { IF_MATCH_EXTENSION } from '../http/openapi-operations';
import { type TableFormat, tableFormatOf } from '../http/table/table-format';
import { type ExpectedVersions, parseIfMatch } from '../resource/etag';
import { DEFAULT_LIMIT, MAX_OFFSET, MAX_SEARCH_LENGTH, MAX_SORTS, MAX_TERMS } from '../resource/read/list-query';
import type { ListParams } from '../resource/reader';
import { FIELD_PREFIX } from '../fields/field-definition';
import { TakesFamily } from '../http/query-parameters';
import type { AnyFilter } from '../query/filters';
import { type Resource, watchFilters } from '../resource/resource';
import { hasFields } from '../resource/with-fields';
import { answerSchema, fieldName, pageSchema, relationName } from './schema-names';

/** Metadata key: the resource whose records a route answers, for field selection. */
export const ROUTE_RESOURCE = 'helpdesk:route-resource';

const PLAIN = 'helpdesk:plain';

/** A route that answers JSON: it is called without what Nest puts around a handler (`CompiledRoutes`). */
const plain = (): MethodDecorator => SetMetadata(PLAIN, true);

/** The same for a `GET` that is neither list nor read of a record. */
export const Reads = plain;

/** Whether a method of a controller is one, as every list and every read, creation, change and deletion of a record. */
export const isPlain = (handler: object): boolean => Reflect.hasMetadata(PLAIN, handler);

/** With its article, also where its first letter is spoken by itself: `an SLA policy`. */
const oneOf = ({ called: { one } }: Resource): string =>
  `${/^[aeio]|^[AEFHILMNORSX](?=[A-Z])/.test(one) ? 'an' : 'a'} ${one}`;

interface RouteOptions {
  path?: string;
  summary?: string;
  description?: string;
}

/** `GET` of a list: every list parameter, filter and sort of the resource. */
export function ListRoute(resource: Resource, options: RouteOptions = {}): MethodDecorator {
  return applyDecorators(
    Get(options.path ?? ''),
    SetMetadata(ROUTE_RESOURCE, resource),
    plain(),
    operation(options, `List ${resource.called.many}`, 'Page by page; several filters narrow the list together.'),
    ApiExtraModels(resource.entity),
    ...pagingParameters,
    sortParameter(resource),
    ...(resource.search ? [searchParameter(resource.search)] : []),
    ...(resource.notice ? [viewParameter] : []),
    ...(hasFields(resource) ? [TakesFamily(FIELD_PREFIX)] : []),
    ...selectionParameters(resource),
    filterParameters(resource),
    ApiResponse({ status: 200, description: `A page of ${resource.called.many}.`, schema: pageSchema(resource) }),
  );
}

/** `GET` of one record. */
export function ReadRoute(resource: Resource, options: RouteOptions = {}): MethodDecorator {
  return applyDecorators(
    Get(options.path ?? ':id'),
    SetMetadata(ROUTE_RESOURCE, resource),
    plain(),
    operation(options, `Get one ${resource.called.one}`, `The ${resource.called.one} as it is now.`),
    ...recordAnswer(resource, 200),
  );
}

/** `POST` that creates a record. */
export function CreateRoute(resource: Resource, options: RouteOptions = {}): MethodDecorator {
  return applyDecorators(
    Post(options.path ?? ''),
    SetMetadata(ROUTE_RESOURCE, resource),
    plain(),
    operation(options, `Create ${oneOf(resource)}`, 'Members left out take their defaults.'),
    ...recordAnswer(resource, 201),
  );
}

/** `PATCH` of one record: only what the body names changes. */
export function UpdateRoute(resource: Resource, options: RouteOptions = {}): MethodDecorator {
  return applyDecorators(
    Patch(options.path ?? ':id'),
    SetMetadata(ROUTE_RESOURCE, resource),
    plain(),
    operation(options, `Change ${oneOf(resource)}`, 'Only what the body names changes.'),
    ...recordAnswer(resource, 200),
  );
}

/** `DELETE` of one record; answers its last state. */
export function DeleteRoute(resource: Resource, options: RouteOptions = {}): MethodDecorator {
  return applyDecorators(
    Delete(options.path ?? ':id'),
    SetMetadata(ROUTE_RESOURCE, resource),
    plain(),
    operation(options, `Delete ${oneOf(resource)}`, 'Answers its last state.'),
    ...recordAnswer(resource, 200),
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
    operation(options, options.summary, `Answers the ${resource.called.one} as it is afterwards.`),
    ...recordAnswer(resource, 200),
  );
}

/** `PUT` of something that a record has or has not: asked for again, it changes nothing. Answers the record with 200. */
export function PutRoute(
  resource: Resource,
  path: string,
  options: RouteOptions & { summary: string },
): MethodDecorator {
  return applyDecorators(
    Put(path),
    SetMetadata(ROUTE_RESOURCE, resource),
    operation(options, options.summary, `Answers the ${resource.called.one} as it is afterwards.`),
    ...recordAnswer(resource, 200),
  );
}

/** Path and query of a list request, and the table that it prefers to JSON. */
export const ListQuery = createParamDecorator((_data: unknown, context: ExecutionContext): ListParams => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const mark = request.url.indexOf('?');
  return {
    path: mark === -1 ? request.url : request.url.slice(0, mark),
    query: request.query as Record<string, string | undefined>,
    table: tableFormatOf(request.headers.accept),
  };
});

/** The table that a request prefers to JSON; null when it prefers none. */
export const PreferredTable = createParamDecorator((_data: unknown, context: ExecutionContext): TableFormat | null =>
  tableFormatOf(context.switchToHttp().getRequest<FastifyRequest>().headers.accept),
);

/** Says in the document that a handler takes `If-Match`. */
const documentsIfMatch: ParameterDecorator = (target, name) =>
  void ApiExtension(IF_MATCH_EXTENSION, true)(
    target,
    name ?? '',
    Object.getOwnPropertyDescriptor(target, name ?? '') ?? {},
  );

/** The versions that `If-Match` accepts; null without the header. */
export const IfMatch = createParamDecorator(
  (_data: unknown, context: ExecutionContext): ExpectedVersions =>
    parseIfMatch(context.switchToHttp().getRequest<FastifyRequest>().headers['if-match']),
  [documentsIfMatch],
);

const pageParameters = [
  ApiQuery({
    name: 'page',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: Math.floor(MAX_OFFSET / 100) },
    description: 'Page number, with `per_page`; instead of `offset` and `limit`.',
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
    schema: { type: 'integer', minimum: 0, maximum: MAX_OFFSET },
    description: 'Records to skip, with `limit`; instead of `page` and `per_page`.',
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

function operation(options: RouteOptions, summary: string, description: string): MethodDecorator {
  return ApiOperation({
    summary: options.summary ?? summary,
    description: options.description ?? description,
  });
}

/** A comma-separated list is an array for clients, without `explode`. */
function typed(schema: Record<string, unknown>): { schema: Record<string, unknown>; explode?: false } {
  return schema.type === 'array' ? { schema, explode: false } : { schema };
}

/** Every filter of the resource, and those that extensions add. */
function filterParameters(resource: Resource): MethodDecorator {
  const filterParameter = ([name, { description, schema }]: readonly [string, AnyFilter]): MethodDecorator =>
    ApiQuery({ name, required: false, description, ...typed(schema) });
  return (...method) => {
    for (const filter of resource.filters) filterParameter(filter)(...method);
    watchFilters(resource, (added) => filterParameter(added)(...method));
  };
}

function sortParameter(resource: Resource): MethodDecorator {
  const ranked = resource.search?.ranked !== undefined;
  const field = `${FIELD_PREFIX.replace('.', '\\.')}[a-z0-9_]+`;
  const key = hasFields(resource) ? `(?:${field}|[a-z_]+)` : '[a-z_]+';
  const own = hasFields(resource) ? [{ type: 'string', pattern: `^-?${field}$` }] : [];
  return ApiQuery({
    name: 'sort',
    required: false,
    description: `\`-\` for descending; at most ${MAX_SORTS} names, comma-separated, each for what those before it do not tell apart. Default \`${resource.defaultSort}\`${ranked ? ', with `q` (and only then) `-relevance`' : ''}.${own.length > 0 ? ` Defined custom fields are names, too: \`${FIELD_PREFIX}<key>\`.` : ''}`,
    schema: {
      // Read when the document is made: extensions add names.
      get anyOf() {
        const names = [...Object.keys(resource.sort), ...(ranked ? ['relevance'] : [])];
        const one = { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) };
        return [one, ...own, { type: 'string', pattern: `^-?${key}(,-?${key}){1,${MAX_SORTS - 1}}$` }];
      },
    },
  });
}

/** Lists of what people talk about can be saved. */
const viewParameter = ApiQuery({
  name: 'view',
  required: false,
  schema: { type: 'integer', format: 'int64', minimum: 1 },
  description:
    'A view of this list (`GET /views`): its filters, sort and columns; other parameters come on top, or in place of its own.',
});

function searchParameter({ over, ranked }: NonNullable<Resource['search']>): MethodDecorator {
  return ApiQuery({
    name: 'q',
    required: false,
    description: `Free text over ${over.join(', ')}; every word (at most ${MAX_TERMS}) must begin a word there, in any order; case and accents make no difference. Parts joined by punctuation (pc-4711) follow each other, "quoted words" do so whole.${ranked ? ` ${ranked}` : ''}`,
    schema: { type: 'string', minLength: 1, maxLength: MAX_SEARCH_LENGTH },
  });
}

/** The query parameters `fields`, `expand` and `include`. */
export function selectionParameters(resource: Resource): MethodDecorator[] {
  const relation = { $ref: getSchemaPath(relationName(resource)) };
  const names = (name: string, items: object, description: string): MethodDecorator =>
    ApiQuery({ name, required: false, description, ...typed({ type: 'array', minItems: 1, items }) });
  return [
    names('fields', { $ref: getSchemaPath(fieldName(resource)) }, 'Answer only these members of each record.'),
    ...(Object.keys(resource.expand).length
      ? [
          names('expand', relation, 'Relations to embed.'),
          names('include', relation, 'Another name of `expand`: use either, not both.'),
        ]
      : []),
  ];
}

function recordAnswer(resource: Resource, status: number): MethodDecorator[] {
  return [
    ApiExtraModels(resource.entity),
    ...selectionParameters(resource),
    ApiResponse({ status, description: `The ${resource.called.one}.`, schema: answerSchema(resource) }),
  ];
}
