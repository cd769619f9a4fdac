import { Injectable } from '@nestjs/common';
import type { Changes } from '../../../platform/events/event-rows';
import type { Takeover, TakenValues, Told } from '../../../platform/resource/takeover';
import type { MigrationOptions } from '../mapping/mapping.dto';
import { targetsOf } from '../mapping/targets';
import type { Present } from './presence';
import { type Origin, RecordBook } from './record-book';
import { type PlannedRevision, planned, type RevisionRules, type Said, saidOf, saysTheSame } from './revision';

/** A record of a source that is about one that is here. */
export interface Anew {
  external_id: string;
  values: TakenValues;
  emptied: readonly string[];
  present: Present;
}

/** What becomes of the record here, or would. */
export interface Outlook {
  plan: PlannedRevision | null;
  /** What the source says now; null where it is not to be remembered. */
  said: Said | null;
  warnings: string[];
}

/** What was written of it. */
export interface Outcome extends Outlook {
  /** The version that it was left at; null where nothing was written, and where somebody had changed it before. */
  left: number | null;
  /** Of every stored column. */
  changes: Changes | null;
}

/** How records that are here keep up with their source: by what both of them have changed since it last came in. */
@Injectable()
export class Revising {
  constructor(private readonly book: RecordBook) {}

  /** What would become of records, in their order. Inside the unit of work. */
  async foreseen(takeover: Takeover, options: MigrationOptions, records: readonly Anew[]): Promise<Outlook[]> {
    return this.looked(takeover, options, records, false);
  }

  /** Writes what is to become of records, each where nobody is in its way. Inside a savepoint. @throws ApiError 422 */
  async write(takeover: Takeover, options: MigrationOptions, records: readonly Anew[], told: Told): Promise<Outcome[]> {
    const outlooks = await this.looked(takeover, options, records, true);
    const outcomes: Outcome[] = [];
    for (const [index, { present }] of records.entries()) {
      const outlook = outlooks[index] ?? NOTHING;
      const { plan } = outlook;
      const isChange = plan !== null && Object.keys(plan.values).length > 0;
      const [revised] = isChange ? await takeover.revise([{ id: present.id, values: plan.values }], told) : [];
      const isWritten = revised !== undefined && Object.keys(revised.changes).length > 0;
      outcomes.push({
        ...outlook,
        left: isWritten && plan?.isUntouched ? revised.version : null,
        changes: isWritten ? revised.changes : null,
      });
    }
    return outcomes;
  }

  private async looked(
    takeover: Takeover,
    options: MigrationOptions,
    records: readonly Anew[],
    isHeld: boolean,
  ): Promise<Outlook[]> {
    const rules: RevisionRules = {
      columns: targetsOf(takeover),
      fixed: takeover.fixed,
      sourceWins: options.on_conflict === 'source_wins',
    };
    const outlooks = new Map<string, Outlook>();
    const entity = takeover.resource.name;
    const origins = await this.book.origins(entity, records.map(soughtOf));
    const open: Anew[] = [];
    for (const record of records) {
      const { said = null } = origins.get(record.external_id) ?? {};
      const now = saidOf(record.values, rules.columns);
      if (saysTheSame(now, said, record.emptied, rules.fixed)) outlooks.set(record.external_id, NOTHING);
      else open.push(record);
    }
    // Whoever changes records at once takes turns, in the order of their ids; what is known of them is asked for behind that.
    open.sort((left, right) => left.present.id - right.present.id);
    const standing = new Map<string, Awaited<ReturnType<Takeover['standing']>>>();
    for (const { external_id, present } of open) standing.set(external_id, await takeover.standing(present.id, isHeld));
    const again = isHeld ? await this.book.origins(entity, open.map(soughtOf)) : origins;
    for (const record of open) {
      const { external_id } = record;
      const origin = again.get(external_id) ?? UNKNOWN;
      const at = standing.get(external_id) ?? null;
      outlooks.set(
        external_id,
        outlookOf(record, at, origin, rules, options.update_existing === true || record.present.matched !== null),
      );
    }
    return records.map(({ external_id }) => outlooks.get(external_id) ?? NOTHING);
  }
}

const NOTHING: Outlook = { plan: null, said: null, warnings: [] };
const UNKNOWN: Origin = { said: null, left: null, isOwn: false };

function soughtOf({ external_id, present: { id, key } }: Anew): {
  external_id: string;
  id: number;
  key: string | null;
} {
  return { external_id, id, key };
}

function outlookOf(
  { values, emptied, present }: Anew,
  standing: Awaited<ReturnType<Takeover['standing']>>,
  { said, left, isOwn }: Origin,
  rules: RevisionRules,
  takesOthers: boolean,
): Outlook {
  const staying = (why: string): Outlook => ({ plan: null, said: null, warnings: [`It stays as it is: ${why}.`] });
  if (!standing) return staying('it was deleted here');
  const { row, version, stays } = standing;
  if (stays !== null) return staying(stays);
  const isTaken = isOwn && (present.key === null || row.external_id === null);
  if (!isTaken && !takesOthers) return staying('it was not made by a migration of this id');
  const known = { said, left: isTaken ? left : null };
  const plan = planned({ values, emptied, known, row, version }, rules);
  const warnings = plan.kept.map((name) => `${name}: changed here, too; it stays as it is here`);
  return { plan, said: plan.said, warnings };
}
