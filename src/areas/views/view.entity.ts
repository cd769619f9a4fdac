import { IsObject } from 'class-validator';
import { Entity } from 'typeorm';
import { IntegerColumn, JsonColumn, StringColumn, StringsColumn } from '../../platform/columns/columns';
import { LAST_PLACE } from '../../platform/resource/last-place';
import { SharedRecord } from '../users/shared-record';
import { filtersSchema } from './view-check';

/** Most columns of a view. */
const MAX_COLUMNS = 60;

/** A list that somebody saved: what it filters by, how it is sorted, and which columns it shows. */
@Entity('views')
export class View extends SharedRecord {
  @StringColumn({ required: true, max: 255, example: 'Urgent and unassigned' })
  name: string;

  @StringColumn({ max: 2_000, nullable: true })
  description: string | null;

  @StringColumn({
    max: 64,
    min: 1,
    default: 'tickets',
    description: 'The list that it is of, e.g. `tickets` or `companies`.',
  })
  resource: string;

  @JsonColumn({
    default: {},
    rules: [IsObject()],
    description: 'Filters of the list by name, and `q`, as its parameters take them; `me` is whoever looks.',
    api: filtersSchema,
    example: { status: 'open,in_progress', assigned_to: 'none' },
  })
  filters: Record<string, string>;

  @StringColumn({
    max: 255,
    min: 1,
    nullable: true,
    description: 'As the list takes it; its own unless given.',
    example: '-priority',
  })
  sort: string | null;

  @StringsColumn({
    maxItems: MAX_COLUMNS,
    maxLength: 64,
    description: 'Members of its records, and relations to embed; all members unless given.',
    example: ['code', 'subject', 'priority', 'assignee'],
  })
  columns: string[];

  @IntegerColumn({ min: 0, max: LAST_PLACE, description: 'Lower stands first; last unless given.' })
  position: number;
}
