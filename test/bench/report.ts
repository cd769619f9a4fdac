import { table } from '../../src/cli/output';

/** One line of the report. */
export interface Finding {
  name: string;
  /** The service's figure, with its unit. */
  service: string;
  /** What it is compared with. */
  beside?: string;
  /** The figure that the target speaks of. */
  value: number;
  /** Null = for information. */
  target: { least: number } | { most: number } | null;
  /** Microseconds of CPU that a request costs, of both. */
  cpu?: { service: CpuTime; beside: CpuTime };
}

/** Of a request, in microseconds. */
interface CpuTime {
  node: number;
  postgres: number;
}

/** Prints the table and then everything as one line of JSON. Answers whether every target is met. */
export function report(title: string, findings: readonly Finding[], facts: Record<string, unknown>): boolean {
  const rows = findings.map((finding) => [
    finding.name,
    finding.service,
    finding.beside ?? '',
    figure(finding.value),
    targetText(finding.target),
    verdict(finding),
    ...cpuCells(finding),
  ]);
  console.log(`\n${title}\n`);
  const withCpu = findings.some(({ cpu }) => cpu) ? ['CPU us, node + PostgreSQL', 'beside', 'x'] : [];
  console.log(table([['measured', 'service', 'beside', 'figure', 'target', '', ...withCpu], ...rows]).join('\n'));
  const met = findings.every((finding) => verdict(finding) !== 'MISSED');
  console.log(`\n${JSON.stringify({ bench: title, met, ...facts, findings })}`);
  return met;
}

/** Says on standard error what was found, as soon as it was: a measurement takes minutes. */
export function told(finding: Finding): Finding {
  const { name, service, beside = '', value } = finding;
  const compared = beside === '' ? [] : [beside, figure(value), ...cpuCells(finding)];
  const missed = verdict(finding) === 'MISSED' ? 'MISSED' : '';
  process.stderr.write(`  ${[name, service, ...compared, missed].filter((part) => part !== '').join(' · ')}\n`);
  return finding;
}

/** `1,234 req/s` */
export function rate(value: number): string {
  return `${Math.round(value).toLocaleString('en')} req/s`;
}

/** `1.23 ms` */
export function milliseconds(value: number): string {
  return `${figure(value)} ms`;
}

function cpuCells({ cpu }: Finding): string[] {
  if (!cpu) return [];
  const cell = ({ node, postgres }: CpuTime): string => `${figure(node)} + ${figure(postgres)}`;
  const sum = ({ node, postgres }: CpuTime): number => node + postgres;
  return [cell(cpu.service), cell(cpu.beside), figure(sum(cpu.service) / sum(cpu.beside))];
}

function verdict({ value, target }: Finding): string {
  if (target === null) return '';
  return ('least' in target ? value >= target.least : value <= target.most) ? 'met' : 'MISSED';
}

function targetText(target: Finding['target']): string {
  if (target === null) return '';
  return 'least' in target ? `>= ${target.least}` : `<= ${target.most}`;
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
