import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import { ValidationPipe } from '../../../platform/http/validation-pipe';
import { idsOf } from '../../../platform/resource/record-ids';
import {
  type Beside,
  type TakenValues,
  type Takeover,
  Takeovers,
  type Told,
} from '../../../platform/resource/takeover';
import type { MigrationOptions } from '../mapping/mapping.dto';
import type { Link } from '../mapping/record-mapper';
import { RecordBook } from './record-book';
import { isName } from '../sources/names';

/** Who records name: ids here, by the resource and what the source says. */
export class Resolved {
  private readonly ids = new Map<string, number>();
  /** What was made because it was named. */
  readonly made: Beside[] = [];

  set(resource: string, said: string, id: number, within?: Link['within']): void {
    this.ids.set(keyOf(resource, said, within), id);
  }

  of({ resource, said, within }: Link): number | undefined {
    return this.ids.get(keyOf(resource, said, within)) ?? this.ids.get(keyOf(resource, said));
  }
}

function keyOf(resource: string, said: string, within?: Link['within']): string {
  const place = within && ('id' in within ? String(within.id) : `${within.resource} ${within.said}`);
  return place === undefined ? `${resource} ${said}` : `${resource} ${JSON.stringify([said, place])}`;
}

/** Finds the records that others name: those that came in, those with that external id, those with that name or address. */
@Injectable()
export class References {
  constructor(
    private readonly database: Database,
    private readonly book: RecordBook,
    private readonly takeovers: Takeovers,
    private readonly pipe: ValidationPipe,
  ) {}

  /** Inside the unit of work. @param make whether what is missing may be made, where the options say so */
  async find(links: readonly Link[], options: MigrationOptions, make: Told | null): Promise<Resolved> {
    const resolved = new Resolved();
    const byResource = new Map<string, Set<string>>();
    for (const { resource, said } of links) {
      const texts = byResource.get(resource) ?? new Set<string>();
      byResource.set(resource, texts.add(said));
    }
    for (const [resource, texts] of byResource) {
      const missing = await this.look(resource, [...texts], options, resolved);
      if (missing.length > 0 && make !== null && options.create_missing?.includes(resource))
        await this.make(resource, missing, make, resolved);
    }
    await this.findNested(links, resolved);
    return resolved;
  }

  /** Those that are known by their name within another record, once that is known. */
  private async findNested(links: readonly Link[], resolved: Resolved): Promise<void> {
    for (const { resource, idsOf: find } of this.takeovers.all().flatMap(({ nested = [] }) => nested)) {
      const open = new Map<string, { link: Link; name: string; within: number | null }>();
      for (const link of links) {
        if (link.resource !== resource || resolved.of(link) !== undefined) continue;
        const { within } = link;
        const above = within && ('id' in within ? within.id : resolved.of({ field: '', ...within }));
        // Within what is not here, nothing is.
        if (within && above === undefined) continue;
        open.set(keyOf(resource, link.said, within), { link, name: link.said, within: above ?? null });
      }
      if (open.size === 0) continue;
      const asked = [...open.values()];
      const ids = await find(asked);
      asked.forEach(({ link }, index) => {
        const id = ids[index];
        if (id !== undefined) resolved.set(resource, link.said, id, link.within);
      });
    }
  }

  /** @returns what was not found */
  private async look(
    resource: string,
    texts: readonly string[],
    { namespace }: MigrationOptions,
    resolved: Resolved,
  ): Promise<string[]> {
    const named = (text: string): string => (namespace === undefined ? text : `${namespace}:${text}`);
    const take = (found: ReadonlyMap<string, number>, key: (text: string) => string): void => {
      for (const text of left) {
        const id = found.get(key(text));
        if (id !== undefined) resolved.set(resource, text, id);
      }
      left = left.filter((text) => !found.has(key(text)));
    };
    let left = [...texts];
    take(await this.book.linked(resource, left.map(named)), named);
    take(await idsOf(this.database, resource, 'external_id', left.map(named)), named);
    for (const key of this.keysOf(resource))
      take(await idsOf(this.database, resource, key, left), (text) => text.toLowerCase());
    return left;
  }

  /** Columns that say what records are called. */
  private keysOf(resource: string): readonly string[] {
    const takeover = this.takeovers.of(resource);
    if (takeover) return [...takeover.keys, ...(takeover.names ?? [])];
    const isNested = this.takeovers.all().some(({ nested = [] }) => nested.some((each) => each.resource === resource));
    return isName(resource) && !isNested ? ['name'] : [];
  }

  private async make(resource: string, texts: readonly string[], told: Told, resolved: Resolved): Promise<void> {
    const takeover = this.takeovers.of(resource);
    const [key] = takeover?.keys ?? [];
    if (!takeover || key === undefined) return;
    // Two ways of writing one name are one record.
    const first = new Map<string, string>();
    for (const text of texts) if (!first.has(text.toLowerCase())) first.set(text.toLowerCase(), text);
    const records = [...first].flatMap(([said, text]) => {
      const values = this.checked(takeover, { [key]: text });
      return values ? [{ said, values }] : [];
    });
    const { ids } = await takeover.store(
      records.map(({ values }) => values),
      told,
    );
    records.forEach(({ said }, index) => {
      const id = ids[index] ?? 0;
      for (const text of texts) if (text.toLowerCase() === said) resolved.set(resource, text, id);
      resolved.made.push({ resource, id, key: said });
    });
  }

  /** What is no name or address makes nothing. */
  private checked({ body }: Takeover, values: TakenValues): TakenValues | null {
    try {
      return { ...this.pipe.validate(values, body) };
    } catch (error) {
      if (error instanceof ApiError) return null;
      throw error;
    }
  }
}
