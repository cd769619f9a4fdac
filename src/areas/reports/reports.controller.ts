import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { clockMs } from '../../platform/context/clock';
import { current } from '../../platform/context/current';
import { TabularAnswerOf } from '../../platform/http/answer-members';
import type { TabularResult } from '../../platform/http/results';
import type { TableFormat } from '../../platform/http/table/table-format';
import { PreferredTable } from '../../platform/routes/routes';
import { AgentReport, CsatReport, SlaReport } from './report-answer';
import type { Group } from './report-groups';
import type { ReportKind } from './report-kinds';
import { AgentReportQuery, CsatReportQuery, SlaReportQuery, windowOf } from './report-query';
import { ReportsService } from './reports.service';

const TABLE = 'With `Accept: text/csv` the rows are a table.';

@ApiTags('Reports')
@Controller('reports')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get('sla')
  @ApiOperation({
    summary: 'How promises were kept',
    description: `Counts the promises that were decided in the window, by an answer or by a breach, whichever was first. Teams and agents are those of that moment; category, channel and company are those that the ticket has now. ${TABLE}`,
  })
  @TabularAnswerOf(SlaReport, { description: 'The total, and a row for each group.' })
  sla(@Query() query: SlaReportQuery, @PreferredTable() format: TableFormat | null): Promise<TabularResult> {
    return this.report('sla', query, format);
  }

  @Get('agents')
  @ApiOperation({
    summary: 'What agents did',
    description: `Resolutions and first responses of the window count for whoever has the ticket, comments for who wrote them, promises and ratings for who had the ticket then. ${TABLE}`,
  })
  @TabularAnswerOf(AgentReport, { description: 'The total, and a row for each agent, or for each group.' })
  agents(@Query() query: AgentReportQuery, @PreferredTable() format: TableFormat | null): Promise<TabularResult> {
    return this.report('agents', query, format);
  }

  @Get('csat')
  @ApiOperation({
    summary: 'How satisfied requesters were',
    description: `Counts the ratings that were given in the window; teams and agents are those of that moment. ${TABLE}`,
  })
  @TabularAnswerOf(CsatReport, { description: 'The total, and a row for each group.' })
  csat(@Query() query: CsatReportQuery, @PreferredTable() format: TableFormat | null): Promise<TabularResult> {
    return this.report('csat', query, format);
  }

  private async report(
    kind: ReportKind,
    query: { from?: number; to?: number; group_by?: Group[] },
    format: TableFormat | null,
  ): Promise<TabularResult> {
    const timezone = current().principal?.workspace?.timezone ?? 'UTC';
    const report = await this.reports.of(kind, windowOf(query, clockMs()), timezone, query.group_by ?? null);
    return this.reports.answer(kind, report, format);
  }
}
