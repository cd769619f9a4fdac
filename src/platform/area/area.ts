import type { DynamicModule, Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { PermissionSpec } from '../context/permission-table';
import type { EntityClass } from '../database/data-source';
import type { EventConsumer } from '../events/event-consumer';
import type { EventDomainSpec } from '../events/event-domain';
import type { Duties } from './duties';
import type { ExtraFields } from './extra-fields';
import type { MailKind } from '../mail/texts/mail-kind';
import type { Resource } from '../resource/resource';
import type { PersonalTable } from './personal';
import type { Provider } from './provider';
import type { SearchGroup } from './search-group';
import type { ActionPerformer, RuleAction, RuleCondition } from './rules';

/** A migration; its name ends in the 13 digits of its timestamp, which order the migrations of all areas. */
export type MigrationClass = new () => MigrationInterface;

/** A record of a new demo workspace; what it does not name takes its default. */
export interface DemoRecord {
  resource: Resource;
  values: Readonly<Record<string, unknown>>;
}

/** A resource whose records `GET /stats` counts, all of them. */
export interface CountedResource {
  resource: Resource;
  /** Where its number stands among the others; after them unless given. */
  place?: number;
  /** Its number in the example of the OpenAPI document; 0 unless given. */
  example?: number;
}

/** A subject of the OpenAPI document, under which operations are listed (`@ApiTags`). */
export interface AreaTag {
  name: string;
  description: string;
  /** Where it stands among the others, in the order of the specification; after them unless given. */
  place?: number;
}

/**
 * Everything that the rest of the program needs to know of an area. Whatever lists the program has (of modules, resources,
 * tables, migrations, events) follow from the areas that it is made of; nothing is registered by loading a file. An area of
 * another package is declared the same way.
 */
export interface Area {
  /** Kebab-case and unique, e.g. `active-directory`. */
  readonly name: string;
  /** Controllers and providers, where it has any. */
  readonly module?: Type | DynamicModule;
  /** What its lists can do; each brings its entity along. */
  readonly resources?: readonly Resource[];
  /** Entities that no resource stands for. */
  readonly entities?: readonly EntityClass[];
  /** Columns that it gives to resources of other areas. */
  readonly fields?: readonly ExtraFields[];
  /** What makes its tables. */
  readonly migrations?: readonly MigrationClass[];
  /** What roles may allow in it; a route whose permission no area names is for owners, admins and tokens of no user. */
  readonly permissions?: readonly PermissionSpec[];
  /** What its tables hold of people, and how that is erased. A table that is not named here is not looked into. */
  readonly personal?: readonly PersonalTable[];
  /** What can happen: the part of the catalogue that webhooks, integrations and automations choose from. */
  readonly events?: EventDomainSpec;
  /** Types of events that may start automations, of this area or another. */
  readonly triggers?: readonly string[];
  /** What automations can do. */
  readonly actions?: readonly RuleAction[];
  /** Providers of `module` that perform the actions. */
  readonly performers?: readonly Type<ActionPerformer>[];
  /** What conditions of automations can ask besides the columns of records. */
  readonly conditions?: readonly RuleCondition[];
  /** What can be integrated with the service. */
  readonly providers?: readonly Provider[];
  /** Kinds of mail that it writes, whose texts workspaces may change. */
  readonly mails?: readonly MailKind[];
  /** What `GET /search` finds of it. */
  readonly search?: readonly SearchGroup[];
  /** What `GET /stats` counts of it. */
  readonly stats?: readonly CountedResource[];
  /** Providers of `module` that are handed every event, once, after its commit. */
  readonly consumers?: readonly Type<EventConsumer>[];
  /** Providers of `module` that tell what it leaves in the hands of users, and hand it over when one leaves. */
  readonly duties?: readonly Type<Duties>[];
  /** Records of a new demo workspace, in the order of their making. */
  readonly demo?: readonly DemoRecord[];
  /** What its operations are listed under. */
  readonly tags?: readonly AreaTag[];
  /**
   * What paths and required parameters name, by operation (`tickets.assign`): records of a new demo workspace in the state
   * that the operation is for. Without it an operation is shown on the first record.
   */
  readonly examples?: Readonly<Record<string, Readonly<Record<string, number | string>>>>;
}

/**
 * Declares an area: `src/areas/<area>/<area>.area.ts`.
 *
 * @throws Error when a name or a migration's name has not the form it must have
 */
export function defineArea(area: Area): Area {
  if (!/^[a-z]+(-[a-z]+)*$/.test(area.name)) throw new Error(`"${area.name}" is no name of an area: write kebab-case.`);
  for (const { name } of area.migrations ?? [])
    if (!/^\D.*\D\d{13}$/.test(name))
      throw new Error(`${area.name}: "${name}" does not end in a timestamp of 13 digits.`);
  return Object.freeze(area);
}
