import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { type ErrorDetail, fail, invalid, refuseProblems } from '../../platform/errors/api-error';
import { CustomFields } from '../../platform/fields/custom-fields';
import type { FieldBook, FieldDefinition } from '../../platform/fields/field-definition';
import { fieldFilter } from '../../platform/fields/field-filter';
import type { SingleResult } from '../../platform/http/results';
import type { Change } from '../../platform/resource/change';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { anyOf } from '../../platform/resource/many-changes';
import { resourceOfObject } from '../../platform/resource/resource';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { sql } from '../../platform/postgres/statement-batch';
import { placeBehind } from '../../platform/resource/last-place';
import type { CreateCustomField, UpdateCustomField } from './custom-field.dto';
import { CustomField } from './custom-field.entity';
import { type Defined, definitionProblems, removedOptions, storedDefault } from './definition-rules';

/** Definitions in force for one kind of record: as many keys as `custom_fields` takes. */
const MAX_ACTIVE = 50;
/** Definitions of a workspace, whether in force or not. */
const MAX_ALL = 1_000;

/** Which custom fields there are. A definition is a lens on values: without it they stay where they are. */
@Injectable()
export class CustomFieldsService implements OnModuleInit {
  constructor(
    @InjectStore(CustomField) private readonly records: Store<CustomField>,
    private readonly database: Database,
    private readonly fields: CustomFields,
  ) {}

  onModuleInit(): void {
    this.fields.register(() => this.book());
  }

  create(body: CreateCustomField): Promise<SingleResult> {
    return this.records.holding(() =>
      this.records.create(body, async (values) => {
        const field = definedBy(values);
        refuseProblems(definitionProblems(field));
        values.default_value = storedDefault(field);
        await this.requireRoom(field.object, values.is_active !== false);
        values.position ??= await placeBehind(this.database, 'custom_fields', { object: field.object });
        this.fields.changed();
        return undefined;
      }),
    );
  }

  update(id: number, body: UpdateCustomField, expected: ExpectedVersions): Promise<SingleResult> {
    const update = (): Promise<SingleResult> =>
      this.records.update(id, body, expected, (before, values) => this.follow(before, values));
    return body.is_active === true ? this.records.holding(update) : update();
  }

  /** Values stay, as keys that nobody has defined. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.remove(id, expected, () => {
      this.fields.changed();
      return Promise.resolve();
    });
  }

  private async follow(before: Row<CustomField>, values: Values<CustomField>): Promise<Change<CustomField>> {
    const field = definedBy({ ...before, ...values });
    refuseProblems(definitionProblems(field));
    if (values.default_value !== undefined) values.default_value = storedDefault(field);
    await this.requireUnused(before, removedOptions(before, field));
    if (values.is_active === true && !before.is_active) await this.requireRoom(before.object, true, false);
    this.fields.changed();
    return { values };
  }

  /** 409 while records have one of these options. */
  private async requireUnused(field: Row<CustomField>, options: readonly string[]): Promise<void> {
    const resource = resourceOfObject(field.object);
    if (!resource || options.length === 0) return;
    await this.fields.holdOptions();
    const wanted = { values: [...options], none: false };
    const isUsed = await anyOf(this.database, resource.name, (bind) =>
      fieldFilter(field, resource.fields).sql('m', wanted, bind),
    );
    if (!isUsed) return;
    const message = `Records have one of the options ${options.join(', ')}: set "is_active" to false instead`;
    const detail: ErrorDetail = { field: 'options', code: 'in_use', message };
    fail('conflict', `${message}.`, { details: [detail] });
  }

  private async requireRoom(object: string, isActive: boolean, isNew = true): Promise<void> {
    const [row] = await this.database.query<{ known: number; active: number }>(
      `SELECT count(*) AS known, count(*) FILTER (WHERE is_active AND object = $2) AS active FROM custom_fields WHERE workspace_id = $1`,
      [currentWorkspaceId(), object],
    );
    if (isNew && (row?.known ?? 0) >= MAX_ALL)
      invalid('key', 'max', `A workspace has at most ${MAX_ALL} custom fields.`, { max: MAX_ALL });
    if (isActive && (row?.active ?? 0) >= MAX_ACTIVE)
      invalid('is_active', 'max', `A ${object} has at most ${MAX_ACTIVE} active custom fields.`, { max: MAX_ACTIVE });
  }

  /** The definitions in force, by what has them. */
  private async book(): Promise<FieldBook> {
    const text = `SELECT object, key, label, description, type, options, target, is_required, default_value, pattern, visible_to_customers
      FROM custom_fields WHERE workspace_id = $1 AND is_active ORDER BY object, position, id`;
    const rows = await this.database.read({
      ...sql<FieldDefinition & { object: string }>(text, [currentWorkspaceId()]),
      quick: true,
    });
    const book = new Map<string, FieldDefinition[]>();
    for (const { object, ...definition } of rows) {
      const known = book.get(object);
      if (known) known.push(definition);
      else book.set(object, [definition]);
    }
    return book;
  }
}

function definedBy(values: Values<CustomField>): Defined {
  const { object = '', key = '', label = '', description = null, type = 'text', options = [] } = values;
  const { target = null, is_required = false, default_value = null, pattern = null } = values;
  const { visible_to_customers = false } = values;
  const known = { object, key, label, description, type, options, target };
  return { ...known, is_required, default_value, pattern, visible_to_customers };
}
