import { DateTime } from 'luxon';
import type { LetterParts } from '../../../platform/mail/letter/letter';
import { reportMail } from './report.mail';
import { type Report, rowsOf } from '../reports.service';

interface Shown {
  window: string;
  figures: { label: string; value: string }[];
  rows: number;
}

type ReportValues = Record<keyof typeof reportMail.variables, string>;

/** What the mail of a report says: the total; the rows are in the file. */
export function reportLetter(name: string, report: Report): { values: ReportValues; letter: LetterParts } {
  const { window, figures, rows } = shownOf(report);
  return {
    values: { 'report.name': name, 'report.window': window, 'report.rows': String(rows) },
    letter: { format: 'markdown', heading: name, facts: figures.map(({ label, value }) => [label, value]) },
  };
}

function shownOf(report: Report): Shown {
  const day = (text: string, back = 0): string =>
    DateTime.fromISO(text, { zone: report.timezone }).minus({ days: back }).toISODate() ?? '';
  return {
    window: `${day(report.from)} to ${day(report.to, 1)} (${report.timezone})`,
    figures: Object.entries(report.total).map(([label, value]) => ({
      label: label.replaceAll('_', ' ').replace(/ pct$/, ' %'),
      value: value === null ? '-' : String(value),
    })),
    rows: rowsOf(report).length,
  };
}
