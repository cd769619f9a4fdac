import { DateTime } from 'luxon';
import { type Template, template } from '../../../platform/http/template';
import { keysOf, type Report, rowsOf } from '../reports.service';

interface Shown {
  name: string;
  window: string;
  figures: { label: string; value: string }[];
  rows: string;
}

const page: Template<Shown> = template(__dirname, 'report-mail');

/** What the mail of a report says: the total; the rows are in the file. */
export function reportMail(name: string, report: Report): { subject: string; text: string; html: string } {
  const shown = shownOf(name, report);
  const figures = shown.figures.map(({ label, value }) => `${label}: ${value}`);
  return {
    subject: `${name}: ${shown.window}`,
    text: `${name}\n${shown.window}\n\n${figures.join('\n')}\n\n${shown.rows}\n`,
    html: page(shown),
  };
}

function shownOf(name: string, report: Report): Shown {
  const day = (text: string, back = 0): string =>
    DateTime.fromISO(text, { zone: report.timezone }).minus({ days: back }).toISODate() ?? '';
  const number = rowsOf(report).length;
  const keys = keysOf(report.group_by);
  return {
    name,
    window: `${day(report.from)} to ${day(report.to, 1)} (${report.timezone})`,
    figures: Object.entries(report.total).map(([label, value]) => ({
      label: label.replaceAll('_', ' ').replace(/ pct$/, ' %'),
      value: value === null ? '-' : String(value),
    })),
    rows: `The attached file has ${number === 1 ? 'one row' : `${number} rows`}${keys.length > 0 ? `, by ${keys.join(', ')}` : ''}.`,
  };
}
