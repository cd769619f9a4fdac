import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../context/current';
import { Database } from '../database/database';
import { CustomFields } from '../fields/custom-fields';
import type { FieldDefinition } from '../fields/field-definition';
import { fieldText } from '../fields/field-text';
import type { Fields } from '../fields/settle-fields';
import { sql } from '../postgres/statement-batch';
import { resourceIfAny } from './resource';

/** A custom field as a customer reads it. */
export interface CustomerField {
  key: string;
  label: string;
  value: string;
}

/** What customers are shown of custom fields: those that are defined as visible to them, and no others. */
@Injectable()
export class CustomerFields {
  constructor(
    private readonly fields: CustomFields,
    private readonly database: Database,
  ) {}

  /** Definitions that customers are shown of records of a kind (singular name), in their order. */
  async visible(object: string): Promise<readonly FieldDefinition[]> {
    return (await this.fields.of(object)).filter((field) => field.visible_to_customers);
  }

  /**
   * The values that a record has in visible fields, as texts, in the order of the fields. A reference is told by the title of what it
   * names. In a unit of work, or a request.
   *
   * @param object singular name, e.g. `ticket`
   * @param locale BCP 47 tag of who reads it
   */
  async shown(object: string, values: Fields, locale: string): Promise<CustomerField[]> {
    const definitions = (await this.visible(object)).filter(({ key }) => Object.hasOwn(values, key));
    const shown: CustomerField[] = [];
    for (const definition of definitions) {
      const { key, label, target } = definition;
      const id: unknown = values[key];
      const title = target !== null && typeof id === 'number' ? await this.titleOf(target, id) : null;
      const value = fieldText(definition, id, locale, () => title);
      if (value !== null) shown.push({ key, label, value });
    }
    return shown;
  }

  /** What a record is called, by the first of its titles (of a ticket its code); null when there is none. */
  private async titleOf(name: string, id: number): Promise<string | null> {
    const resource = resourceIfAny(name);
    const titles = resource?.notice?.title ?? [];
    if (!resource || titles.length === 0) return null;
    const title = titles.map((column) => `nullif(btrim(t.${column}::text), '')`).join(', ');
    const text = `SELECT coalesce(${title}) AS title FROM ${resource.table} t WHERE t.workspace_id = $1 AND t.id = $2`;
    const [row] = await this.database.read(sql<{ title: string | null }>(text, [currentWorkspaceId(), id]));
    return row?.title ?? null;
  }
}
