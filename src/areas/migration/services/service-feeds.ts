import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Row } from '../../../platform/resource/rows';
import type { Takeover } from '../../../platform/resource/takeover';
import type { MigrationJob } from '../jobs/migration-job.entity';
import { customKey, MAX_CUSTOM_FIELDS } from '../mapping/proposal';
import { targetsOf } from '../mapping/targets';
import { SOURCE_URL } from '../mapping/web-address';
import type { Feed, FedPage, FedRecord } from '../run/feed';
import { FILES, takesFiles } from '../run/coming-file';
import { restOf, type Place } from '../run/job-place';
import { SERVICE_NAMES } from '../jobs/migration-states';
import { isOneOf } from '../../../platform/text/json';
import { MAX_RECORD_BYTES, TOO_LONG } from '../sources/source-record';
import { type OpenService, ServiceClient } from './service-client';
import { ServiceConnections } from './service-connections';
import { followed } from './service-links';
import { ServicePeople } from './service-people';
import { baseOf } from './service-credentials';
import type { Reading, ServiceEntity, ServicePage, ServiceRecord, ServiceRequest } from './service-source';
import { ServiceTrouble } from './service-trouble';
import { WEB_PAGES } from './web-pages';

/** All requests of one page; with the answer under way it stays below what the job is leased for. */
const PAGE_MS = 60_000;
/** Records of one page: who sends more is not what its documentation says. */
const MAX_RECORDS = 5_000;
/** What a service says of itself counts so long. */
const REMEMBERED_MS = 600_000;

/** Tickets whose records are read. */
interface Parent {
  id: number;
  external_id: string;
}

/** What can be read of a service for a job: pages of records, each behind the request that asks for it. */
@Injectable()
export class ServiceFeeds {
  private readonly remembered = new LRUCache<string, { answer: unknown }>({ max: 200, ttl: REMEMBERED_MS });

  constructor(
    private readonly client: ServiceClient,
    private readonly connections: ServiceConnections,
    private readonly database: Database,
    private readonly people: ServicePeople,
  ) {}

  /** The entity of a service as a feed; null where the job reads none, or the service has nothing of it. */
  of(job: Row<MigrationJob>, takeover: Takeover): Feed | null {
    const service = this.connections.open(job);
    const entity = service?.source.entities[takeover.resource.name];
    if (!service || !entity) return null;
    return entity.belowTickets
      ? (from) => this.belowTickets(job, takeover, service, entity, from)
      : (from) => this.listed(job, takeover, service, entity, from);
  }

  /** How many records of an entity there are, where the service says so and nothing was read before. @throws ServiceTrouble */
  async count(job: Row<MigrationJob>, name: string): Promise<number | null> {
    const service = this.connections.open(job);
    const entity = service?.source.entities[name];
    if (!service || !entity?.count || this.since(job, name) !== null) return null;
    return entity.count(this.reading(job, service, name, ''));
  }

  /** For what is asked besides pages. */
  asking(job: Row<MigrationJob>, service: OpenService): Reading {
    return this.reading(job, service, FILES, '');
  }

  private async *listed(
    job: Row<MigrationJob>,
    takeover: Takeover,
    service: OpenService,
    entity: ServiceEntity,
    from: Place,
  ): AsyncGenerator<FedPage> {
    for (let at: Place | null = from; at;) {
      const page: ServicePage = await this.page(job, takeover, service, entity, at.cursor, '');
      const { next: cursor, total = null } = page;
      const next: Place = cursor ? { ...at, cursor, tries: 0 } : restOf(at);
      yield { records: fed(page.records, takeover, job, service), next, total, files: page.files ?? [] };
      at = cursor ? next : null;
    }
  }

  private async *belowTickets(
    job: Row<MigrationJob>,
    takeover: Takeover,
    service: OpenService,
    entity: ServiceEntity,
    from: Place,
  ): AsyncGenerator<FedPage> {
    let at: Place = from;
    for (let parents = await this.parents(job, at); parents.length > 0; parents = await this.parents(job, at))
      for (const { id, external_id } of parents)
        for (let isOver = false; !isOver;) {
          const page = await this.page(job, takeover, service, entity, at.cursor, external_id).catch(absent);
          isOver = page.next === null;
          at = { ...at, cursor: page.next, tries: 0, after: isOver ? id : at.after };
          yield { records: fed(page.records, takeover, job, service), next: at, files: page.files ?? [] };
        }
    yield { records: [], next: restOf(at) };
  }

  /** The tickets whose records were not read yet, in the order of their coming. */
  private async parents(job: Row<MigrationJob>, { after, sampled }: Place): Promise<Parent[]> {
    if (job.status === 'validating')
      return sampled.slice(after).map((external_id, index) => ({ id: after + index + 1, external_id }));
    const rows = await this.database.transaction(() =>
      this.database.query<{ id: number; external_id: string }>(
        `SELECT id, external_id FROM migration_records WHERE workspace_id = $1 AND job_id = $2 AND entity = 'tickets' AND id > $3
           AND status <> 'rolled_back' ORDER BY id LIMIT 100`,
        [currentWorkspaceId(), job.id, after],
      ),
    );
    const { namespace } = job.options;
    return rows.map(({ id, external_id }) => ({
      id,
      external_id: namespace === undefined ? external_id : external_id.slice(namespace.length + 1),
    }));
  }

  private async page(
    job: Row<MigrationJob>,
    { resource }: Takeover,
    service: OpenService,
    entity: ServiceEntity,
    cursor: ServiceRequest | null,
    ticket: string,
  ): Promise<ServicePage> {
    const reading = this.reading(job, service, resource.name, ticket);
    const at = cursor ?? (await entity.first(reading));
    const page = await entity.read(await reading.ask(at), at, reading);
    if (page.records.length > MAX_RECORDS)
      throw new ServiceTrouble('broken', `A page of it has more than ${MAX_RECORDS} records.`);
    if (page.next && JSON.stringify(page.next) === JSON.stringify(at))
      throw new ServiceTrouble('broken', 'It names a page as the next one of itself.');
    return page;
  }

  private reading(job: Row<MigrationJob>, service: OpenService, name: string, ticket: string): Reading {
    const until = performance.now() + PAGE_MS;
    const ask = (request: ServiceRequest): Promise<unknown> =>
      this.client.ask(service, request, until - performance.now());
    return {
      settings: service.settings,
      ask,
      askOnce: async (request) => {
        const key = `${currentWorkspaceId()} ${job.id} ${job.origin} ${JSON.stringify(request)}`;
        const known = this.remembered.get(key);
        if (known) return known.answer;
        const answer = await ask(request);
        this.remembered.set(key, { answer });
        return answer;
      },
      follow: (link) => followed(link, baseOf(service.settings)),
      since: this.since(job, name),
      people: (ids) => this.people.of(ids, job.options),
      ticket,
      withFiles: takesFiles(job) && job.status !== 'validating',
    };
  }

  private since({ since }: Row<MigrationJob>, name: string): string | null {
    return since?.[name] ?? null;
  }
}

/** What a ticket has nothing of costs that ticket alone. */
function absent(error: unknown): ServicePage {
  if (error instanceof ServiceTrouble && error.kind === 'refused' && (error.status === 404 || error.status === 410))
    return { records: [], next: null };
  throw error;
}

/** Records in the form in which all sources have them. What its people made has names beside those that fields have here. */
function fed(
  records: readonly ServiceRecord[],
  takeover: Takeover,
  { source, options: { namespace } }: Row<MigrationJob>,
  { settings }: OpenService,
): FedRecord[] {
  const targets = targetsOf(takeover);
  const pages = isOneOf(SERVICE_NAMES, source) ? WEB_PAGES[source] : undefined;
  return records.map((record) => {
    const { id, fields, titled = {}, url } = record;
    const said: Record<string, unknown> = { external_id: id };
    const page = url ?? pages?.[takeover.resource.name]?.(record);
    if (page !== undefined) said[SOURCE_URL] = new URL(page, baseOf(settings)).href;
    // What this one does not say, others may: a field is known by its name.
    for (const [name, value] of Object.entries(fields)) said[name] = value ?? null;
    for (const [title, value] of Object.entries(titled).slice(0, 500)) {
      const name = title.slice(0, 120);
      said[targets.has(name) || Object.hasOwn(said, name) ? `${name} (field)` : name] = value ?? null;
    }
    const isLong = Buffer.byteLength(JSON.stringify(said)) > MAX_RECORD_BYTES;
    return isLong
      ? {
          fields: null,
          problem: TOO_LONG,
          line: null,
          external_id: namespace === undefined ? id : `${namespace}:${id}`,
        }
      : { fields: said, problem: null, line: null };
  });
}

/** What becomes of the fields of a service: they have the names of those here, or are custom ones. */
export function routesOf(takeover: Takeover, names: readonly string[]): Record<string, string | null> {
  const targets = targetsOf(takeover);
  const custom = new Set<string>();
  return Object.fromEntries(
    names.map((name) => {
      if (targets.has(name) || name === SOURCE_URL) return [name, name];
      const key = customKey(name);
      const isKept = key !== null && !custom.has(key) && custom.size < MAX_CUSTOM_FIELDS;
      if (isKept) custom.add(key);
      return [name, isKept ? key : null];
    }),
  );
}
