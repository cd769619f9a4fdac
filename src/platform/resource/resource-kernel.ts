import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { isBodyOf } from '../columns/bodies';
import { current } from '../context/current';
import { Database } from '../database/database';
import { refuseProblems } from '../errors/api-error';
import { CustomFields } from '../fields/custom-fields';
import { FIELD_PREFIX } from '../fields/field-definition';
import { areSettled, asTheyAre, choosesOption, type Fields, settleFields } from '../fields/settle-fields';
import { timestampText } from '../columns/column-spec';
import { missingRecords } from './field-references';
import { ResourceHooks } from './hooks';
import type { ListParams } from './read/list-answer';
import type { RawQuery } from './read/list-query';
import { parseSelection, type Selection } from './read/selection';
import { checkResources, type Resource, resourceIfAny } from './resource';
import type { ResourceEntity } from './resource-entity';
import type { Row, Values } from './rows';
import { echoedLists, givenValues, requireAsShown } from './stored-values';
import { hasFields, namesFields, withFields } from './with-fields';

/** What every resource service stands on. Checks all declared names at boot. */
@Injectable()
export class ResourceKernel implements OnModuleInit {
  private readonly stored = new Map<Resource, string>();

  constructor(
    readonly database: Database,
    readonly hooks: ResourceHooks,
    readonly fields: CustomFields,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    checkResources();
  }

  /** The resource as the workspace has it, where a list asks for what only that tells. */
  async listed<E extends object>(
    resource: Resource<E>,
    params: Pick<ListParams, 'query' | 'table'>,
  ): Promise<Resource<E>> {
    return namesFields(params) ? this.widened(resource) : resource;
  }

  /** What a request asks to see of the records of a resource; 422 for what they do not have. */
  async selected(resource: Resource, query: RawQuery): Promise<Selection> {
    return parseSelection(query.fields?.includes(FIELD_PREFIX) ? await this.widened(resource) : resource, query);
  }

  /** The resource with the custom fields that the workspace has defined. */
  async widened<E extends object>(resource: Resource<E>): Promise<Resource<E>> {
    return hasFields(resource) ? withFields(resource, await this.fields.of(resource.singular)) : resource;
  }

  /** The resource of that name as the workspace has it; undefined where its area is not installed. */
  async named(name: string): Promise<Resource | undefined> {
    const resource = resourceIfAny(name);
    return resource && this.widened(resource);
  }

  /**
   * Values with their `custom_fields` as they are to be stored, by what the workspace has defined. Inside a unit of work.
   *
   * @param before null for a new record
   * @param body what a new record is made of. Only who writes it can be asked for what it lacks: what comes of mail, or with
   *   another record, is taken without
   * @throws ApiError 422 with everything that is wrong
   */
  async settled<E extends ResourceEntity>(
    resource: Resource<E>,
    before: Row<E> | null,
    values: Values<E>,
    body?: object,
  ): Promise<Values<E>> {
    const given = fieldsOf(values) ?? (before === null ? {} : null);
    if (!given || areSettled(given) || !hasFields(resource)) return values;
    const known = await this.fields.of(resource.singular);
    if (known.length === 0) return values;
    const was = before && (fieldsOf(before) ?? {});
    const definitions = choosesOption(known, was, given) ? await this.fields.held(resource.singular) : known;
    const demands = body !== undefined && current().principal !== null && isBodyOf(resource.entity, body);
    const { fields, problems, named } = settleFields(definitions, was, given, demands);
    refuseProblems([...problems, ...(await missingRecords(this.database, named))]);
    return { ...values, custom_fields: asTheyAre(fields) };
  }

  /** What the body of a change gives, settled. @param shown the record as it is answered */
  async given<E extends ResourceEntity>(
    resource: Resource<E>,
    before: Row<E>,
    body: object,
    shown: () => Promise<object>,
  ): Promise<Values<E>> {
    const lists = echoedLists(resource, body);
    if (lists.length > 0) requireAsShown(lists, body, await shown());
    return this.settled(resource, before, givenValues(resource, body, before));
  }

  /** Stored columns of a resource, private ones included, as a select list over `t`; moments are written as in answers. */
  storedColumns(resource: Resource): string {
    let list = this.stored.get(resource);
    if (list === undefined) {
      list = this.dataSource
        .getMetadata(resource.entity)
        .columns.map(({ databaseName, type }) =>
          type === 'timestamptz' ? `${timestampText(`t.${databaseName}`)} AS ${databaseName}` : `t.${databaseName}`,
        )
        .join(', ');
      this.stored.set(resource, list);
    }
    return list;
  }
}

function fieldsOf(values: object): Fields | undefined {
  return (values as { custom_fields?: Fields }).custom_fields;
}
