import { Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { currentWorkspaceId } from '../../platform/context/current';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../platform/context/runtime-config';
import { eventCatalogue } from '../../platform/events/event-catalogue';
import { eventSample } from '../../platform/openapi/event-sample';
import { schemaPath } from '../../platform/openapi/event-schemas';
import { linkBase } from '../../platform/http/link-base';
import { PREFIX } from '../../platform/http/openapi';
import type { ListResult } from '../../platform/http/results';
import { plainList } from '../../platform/resource/read/list-answer';
import type { ListParams } from '../../platform/resource/reader';
import { ListQuery, PageParameters } from '../../platform/routes/routes';
import { listSchema } from '../../platform/routes/schema-names';

/** One domain of the catalogue, as clients see it. */
interface ShownDomain {
  domain: string;
  label: string;
  events: ShownEvent[];
}

interface ShownEvent {
  type: string;
  description: string;
  since: 'v1';
  /** Present on the entry of an alias: the type that the log of events has. */
  alias_of?: string;
  payload_schema_url: string;
  sample: Record<string, unknown>;
}

const text = { type: 'string' };
const event = {
  type: 'object',
  required: ['type', 'description', 'since', 'payload_schema_url', 'sample'],
  properties: {
    type: { ...text, example: 'ticket.created' },
    description: text,
    since: { ...text, enum: ['v1'] },
    alias_of: { ...text, description: 'The type of the event in GET /events, when this is another name for it.' },
    payload_schema_url: { ...text, format: 'uri' },
    sample: { type: 'object', additionalProperties: true, description: 'A body as webhooks deliver it.' },
  },
};
const domain = {
  type: 'object',
  required: ['domain', 'label', 'events'],
  properties: { domain: text, label: text, events: { type: 'array', items: event } },
};

@ApiTags('Integrations')
@Controller('integrations/events')
export class EventCatalogueController {
  constructor(@Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig) {}

  @Get()
  @ApiOperation({
    summary: 'List every event, by domain',
    description: 'What webhooks and integrations can subscribe to, each with a sample and where its schema is.',
  })
  @PageParameters()
  @ApiOkResponse({
    description: 'A page of the domains, each with what webhooks, integrations and automations can wait for.',
    schema: listSchema(domain),
  })
  list(@Req() request: FastifyRequest, @ListQuery() params: ListParams): ListResult {
    const base = linkBase(this.config.publicUrl, request, `${this.config.host}:${this.config.port}`) + PREFIX;
    const workspaceId = currentWorkspaceId();
    const domains = eventCatalogue().map(({ domain: name, label, events }): ShownDomain => ({
      domain: name,
      label,
      events: events.flatMap((kind): ShownEvent[] => {
        const sample = eventSample(kind, workspaceId);
        const shownAs = (type: string): ShownEvent => ({
          type,
          description: kind.description,
          since: 'v1',
          payload_schema_url: base + schemaPath(kind),
          sample: { ...sample, type },
        });
        return [shownAs(kind.type), ...kind.aliases.map((alias) => ({ ...shownAs(alias), alias_of: kind.type }))];
      }),
    }));
    return plainList(params, domains);
  }
}
