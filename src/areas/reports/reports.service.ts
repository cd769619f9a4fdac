import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import type { ShownWindow } from '../../platform/calendar/date-window';
import { Database } from '../../platform/database/database';
import { TabularResult } from '../../platform/http/results';
import type { ColumnPath, Table } from '../../platform/http/table/table';
import type { TableFormat } from '../../platform/http/table/table-format';
import { type Group, groupSpec } from './report-groups';
import { type ReportKind, reportSpec } from './report-kinds';
import { MAX_ROWS, membersOf, type ReportRow, reportStatement } from './report-statement';

/** A report, whichever it is: the class of its answer says what is in its rows. */
export interface Report extends ShownWindow {
  timezone: string;
  group_by: readonly Group[];
  total: ReportRow;
  groups: ReportRow[];
  truncated: boolean;
}

/** What happened in a window, exactly, by whatever it is to be told apart by. */
@Injectable()
export class ReportsService {
  constructor(private readonly database: Database) {}

  /**
   * A report of the current workspace.
   *
   * @param timezone IANA name: where its days begin
   * @param groups null = those that the report has by itself
   */
  async of(
    kind: ReportKind,
    { from, to }: ShownWindow,
    timezone: string,
    groups: readonly Group[] | null,
  ): Promise<Report> {
    const spec = reportSpec(kind);
    const group_by = groups ?? spec.defaultGroups;
    const asked = { groups: group_by, from, to, timezone };
    const rows = await this.database.read(reportStatement(spec, currentWorkspaceId(), asked));
    const own = rows.filter(({ is_total }) => !is_total).map(({ row }) => row);
    const total = Object.entries(rows.find(({ is_total }) => is_total)?.row ?? {});
    const figures = total.filter(([name]) => Object.hasOwn(spec.figures, name));
    return {
      from,
      to,
      timezone,
      group_by,
      total: Object.fromEntries(figures),
      groups: own.slice(0, MAX_ROWS),
      truncated: own.length > MAX_ROWS,
    };
  }

  /** The same as an answer, and as a table where the client prefers one. */
  answer(kind: ReportKind, report: Report, format: TableFormat | null): TabularResult {
    return new TabularResult(report, rowsOf(report), format && tableOf(kind, report, format));
  }
}

/** The rows of a report as a table: its groups, or the total where there are none to be told apart. */
export function rowsOf({ group_by, groups, total }: Report): ReportRow[] {
  return group_by.length === 0 ? [total] : groups;
}

/** How a report looks as a table. */
export function tableOf(kind: ReportKind, { group_by }: Pick<Report, 'group_by'>, format: TableFormat): Table {
  const columns = membersOf(reportSpec(kind), group_by).map((name): ColumnPath => [name]);
  return { format, columns, name: `${kind}-report`, rest: null };
}

/** The members by which rows of a report are told apart, for people. */
export function keysOf(groups: readonly Group[]): string[] {
  return groups.map(groupSpec).map(({ member, named }) => named?.member ?? member);
}
