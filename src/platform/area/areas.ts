import type { DynamicModule, Type } from '@nestjs/common';
import { installPermissions } from '../context/permission-table';
import type { EntityClass } from '../database/data-source';
import { installEvents, requireDeclared } from '../events/event-catalogue';
import { installFields } from './extra-fields';
import { installResources, type Resource } from '../resource/resource';
import type { Area, MigrationClass } from './area';
import { collectFrom } from './collected';
import { platformArea } from './platform-area';

/** The areas that a program is made of, and what follows from them: one list of each kind, in the order of the areas. */
export class Areas {
  readonly all: readonly Area[];

  /** @throws Error when two of them have one name */
  constructor(areas: readonly Area[]) {
    this.all = [...areas, platformArea];
    const names = this.all.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`There are two areas called "${twice}".`);
  }

  get modules(): (Type | DynamicModule)[] {
    return this.each(({ module }) => (module ? [module] : []));
  }

  get resources(): Resource[] {
    return this.each(({ resources }) => resources);
  }

  /** For TypeORM. */
  get entities(): EntityClass[] {
    const ofResources = this.resources.map(({ entity }) => entity as EntityClass);
    return [...new Set([...ofResources, ...this.each(({ entities }) => entities)])];
  }

  /** Oldest first. */
  get migrations(): MigrationClass[] {
    const since = ({ name }: MigrationClass): number => Number(name.slice(-13));
    return this.each(({ migrations }) => migrations).sort((a, b) => since(a) - since(b));
  }

  /**
   * Makes what they bring along known by name, and nothing else: a process is made of the areas that were installed last.
   *
   * @throws Error when two things have one name, or a name means nothing
   */
  install(): this {
    installPermissions(this.each(({ permissions }) => permissions));
    installResources(this.resources);
    for (const area of this.all) readBy(area);
    for (const { name, fields = [] } of this.all) for (const each of fields) installFields(each, name);
    installEvents(this.each(({ events }) => (events ? [events] : [])));
    for (const type of this.each(({ triggers }) => triggers)) requireDeclared(type);
    collectFrom(this.all);
    return this;
  }

  /** One kind of thing that areas bring along. */
  each<T>(part: (area: Area) => readonly T[] | undefined): T[] {
    return this.all.flatMap((area) => part(area) ?? []);
  }
}

/** Its resources are read with the permission of their own name, else with the first one to read in the area. */
function readBy({ name, resources = [], permissions = [] }: Area): void {
  const reading = permissions.map((each) => each.name).filter((each) => each.endsWith('.read'));
  for (const resource of resources) {
    const own = reading.find((each) => each === `${resource.name.replaceAll('_', '-')}.read`);
    resource.reading = own ?? reading[0] ?? `${name}.read`;
  }
}
