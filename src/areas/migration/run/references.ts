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

/** Who records name: ids here, by the resource and what the source says. */
export class Resolved {
  private readonly ids = new Map<string, number>();
  /** What was made because it was named. */
  readonly made: Beside[] = [];

  set(resource: string, said: string, id: number): void {
    this.ids.set(`${resource} ${said}`, id);
  }

  of({ resource, said }: Link): number | undefined {
    return this.ids.get(`${resource} ${said}`);
  }
}

/** What is known by name where no area says how its records are taken over. */
const NAMED: readonly string[] = ['teams', 'sla_policies', 'ticket_statuses'];

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
    return resolved;
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
    const keys = this.takeovers.of(resource)?.keys ?? (NAMED.includes(resource) ? ['name'] : []);
    for (const key of keys) take(await idsOf(this.database, resource, key, left), (text) => text.toLowerCase());
    return left;
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
