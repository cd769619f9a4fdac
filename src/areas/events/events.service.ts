// Own reads: the ids of an event are computed columns of its entity, which a repository cannot ask for.
import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { fail, invalid } from '../../platform/errors/api-error';
import { ListResult, SingleResult } from '../../platform/http/results';
import { type ListParams, Reader } from '../../platform/resource/reader';
import { InjectReader } from '../../platform/resource/store.module';
import { EventRecord } from './event.entity';

/** The log of events, in the order of their commits: what webhooks deliver, to be asked for. Kept for 30 days. */
@Injectable()
export class EventsService {
  constructor(
    @InjectReader(EventRecord) private readonly records: Reader<EventRecord>,
    private readonly database: Database,
  ) {}

  /** A page; `after` an event that is not in the log would look like "nothing new" for ever, so it is refused. */
  async page(params: ListParams): Promise<ListResult> {
    const { after } = params.query;
    if (after !== undefined && (await this.rowOf(after)) === null) {
      invalid('after', 'not_found', '"after" names an event that is not, or no longer, in the log.');
    }
    return this.records.list(params);
  }

  /** One event by its id (`evt_…`). */
  async one(uid: string): Promise<SingleResult> {
    return this.records.read((await this.rowOf(uid)) ?? fail('not_found', 'No such event.'));
  }

  private async rowOf(uid: string): Promise<number | null> {
    if (!/^evt_[0-9a-f]{32}$/.test(uid)) return null;
    const [row] = await this.database.read<{ id: number }>({
      text: `SELECT id FROM recorded_events WHERE workspace_id = $1 AND uid = $2`,
      values: [currentWorkspaceId(), uid],
    });
    return row?.id ?? null;
  }
}
