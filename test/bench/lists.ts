import fc from 'fast-check';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import { RARE_WORDS } from '../../src/cli/seed/vocabulary';
import { projectRoot } from '../../src/config';
import { table } from '../../src/cli/output';
import { prepareData, prepareWorkspace } from './bench-data';
import { startService } from './bench-servers';
import { startBenchServices } from './bench-services';
import { latencyOf, Probe } from './load';
import { realTexts } from './real-texts';
import { milliseconds, report } from './report';
import { kinds } from './search-kinds';
import { draw, folded } from './search-ready';

const SEED = 20_261;
const SLOW_MS = 150;
/** Rows from which values of filters are taken. */
const DRAWN = 400;

type Scalar = string | number | boolean;
type Row = Readonly<Record<string, Scalar | Scalar[] | null | undefined>>;

/** Values that a documented filter may be asked for, as texts of the query. */
type Choices = ReadonlyMap<string, readonly string[]>;

/**
 * The slowest documented lists of tickets: drawn combinations of up to three filters (one or two values each, also `none`), of
 * every sort, both ways, and of an offset at the beginning, in the middle or near the end of what is found; each asked three
 * times, the median counts. Prints the worst, ten of them. With `--texts` the workspace is that of `million`, of real texts. With
 * `--search` each list searches besides, for texts of every kind that `million` searches for. With `--filters` none but these are drawn: the few
 * that are asked for most are met by chance too seldom.
 */
export async function runLists(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tickets: { type: 'string', default: '1000000' },
      lists: { type: 'string', default: '600' },
      texts: { type: 'string' },
      shown: { type: 'string', default: '10' },
      search: { type: 'boolean', default: false },
      filters: { type: 'string' },
      'data-dir': { type: 'string', default: join(projectRoot, '.data', 'bench') },
    },
  });
  const [tickets, count] = [Number(values.tickets), Number(values.lists)];
  const dataDir = values['data-dir'];
  const services = await startBenchServices(dataDir);
  try {
    const texts = values.texts === undefined ? null : realTexts(values.texts);
    const measured = texts
      ? await prepareWorkspace(services, dataDir, tickets, texts)
      : (await prepareData(services, dataDir, tickets)).measured;
    const sample = { ...(await draw(services, measured.id)), rare: texts?.rare ?? RARE_WORDS };
    const service = await startService(services, dataDir, measured);
    await folded(services, measured.id);
    const probe = new Probe({ authorization: `Bearer ${measured.token}` });
    try {
      const choices = await choicesOf(probe, service.url, values.filters?.split(','));
      const searches = values.search ? kinds.map((kind) => kind.texts(sample)) : [];
      const lists = fc.sample(listOf(choices, searches), { numRuns: count, seed: SEED });
      const times: { query: string; ms: number }[] = [];
      for (const { query, depth } of lists) times.push(await timed(probe, service.url, query, depth));
      times.sort((a, b) => b.ms - a.ms);
      console.log(
        table([
          ['worst', 'ms'],
          ...times.slice(0, Number(values.shown)).map(({ query, ms }) => [query, ms.toFixed(1)]),
        ]).join('\n'),
      );
      const { p50, p95 } = latencyOf(times.map(({ ms }) => ms));
      const slow = times.filter(({ ms }) => ms > SLOW_MS).length;
      const findings = [
        { name: 'worst list', value: times[0]?.ms ?? 0, target: { most: SLOW_MS } },
        { name: 'p99 of all lists', value: times[Math.floor(times.length / 100)]?.ms ?? 0, target: null },
        { name: 'p95 of all lists', value: p95, target: { most: 40 } },
        { name: 'p50 of all lists', value: p50, target: null },
      ].map((finding) => ({ ...finding, service: milliseconds(finding.value) }));
      findings.push({ name: `lists over ${SLOW_MS} ms`, value: slow, target: { most: 0 }, service: String(slow) });
      return report('lists', findings, { tickets, lists: count, node: process.version });
    } finally {
      probe.close();
      await service.stop();
    }
  } finally {
    await services.stop();
  }
}

/** What filters can be asked for, from rows near the beginning, the middle and the end of the data. @param names of filters; all of them unless given */
async function choicesOf(probe: Probe, url: string, names?: readonly string[]): Promise<Choices> {
  const rows: Row[] = [];
  const { total } = await page(probe, url, 'per_page=1');
  for (let part = 0; part < DRAWN / 100; part++) {
    const offset = Math.floor((total * part) / (DRAWN / 100));
    rows.push(...(await page(probe, url, `limit=100&offset=${offset}`)).rows);
  }
  const choices = new Map<string, readonly string[]>();
  for (const name of ticketResource.filters.keys()) {
    if (names && !names.includes(name)) continue;
    const texts = new Set(rows.flatMap((row) => textsOf(name, row)));
    if (texts.size > 0) choices.set(name, [...texts].slice(0, 60));
  }
  return choices;
}

/** Fields that filters of other names look at. */
const FIELDS: Readonly<Record<string, string>> = { tags_all: 'tags', asset_id: 'asset_ids', ids: 'id' };
/** Filters that do not know `none`. */
const NEVER_NONE = /^(external_id|tags|tags_all|asset_id)$|_(after|before)$/;

/** What a row says of a filter: a value by which it would be found. */
function textsOf(name: string, row: Row): string[] {
  if (name === 'has_parent') return ['true', 'false'];
  const value = row[FIELDS[name] ?? name.replace(/_(after|before)$/, '_at')];
  if (value === undefined) return [];
  const one = Array.isArray(value) ? value[0] : name.startsWith('tags') ? String(value ?? '').split(',')[0] : value;
  if (one === undefined || one === null || one === '') return NEVER_NONE.test(name) ? [] : ['none'];
  return [String(one)];
}

/**
 * Combinations of filters, a sort and how far down.
 *
 * @param searches by kind, texts of which each of them searches for one; none without kinds
 */
function listOf(
  choices: Choices,
  searches: readonly (readonly string[])[],
): fc.Arbitrary<{ query: string; depth: number }> {
  const single = /_(after|before)$|^(has_parent|code|csat_score|escalation_level)$/;
  const filter = fc.constantFrom(...choices.keys()).chain((name) => {
    const values = fc.constantFrom(...(choices.get(name) ?? []));
    return fc
      .uniqueArray(values, { minLength: 1, maxLength: single.test(name) ? 1 : 2 })
      .map((some) => `${name}=${encodeURIComponent(some.join(','))}`);
  });
  const name = (text: string): string => text.slice(0, text.indexOf('='));
  // Sorts without an index are refused beyond so many records (422).
  const sorts = Object.entries(ticketResource.sort).filter(([, { most }]) => most === undefined);
  const sort = fc.constantFrom(...sorts.flatMap(([each]) => [each, `-${each}`]));
  return fc
    .record({
      filters: fc.uniqueArray(filter, { maxLength: 3, selector: name }),
      sort,
      ...(searches.length > 0 ? { q: fc.constantFrom(...searches).chain((texts) => fc.constantFrom(...texts)) } : {}),
      depth: fc.constantFrom(0, 0, 0.5, 0.97),
    })
    .map(({ filters, sort: by, q, depth }) => {
      const search = q === undefined ? [] : [`q=${encodeURIComponent(q)}`];
      return { query: [...search, ...filters, `sort=${by}`].join('&'), depth };
    });
}

async function timed(probe: Probe, url: string, query: string, depth: number): Promise<{ query: string; ms: number }> {
  const total = (await page(probe, url, `${query}&limit=1`).catch(refused))?.total;
  const asked = `${query}&offset=${Math.floor((total ?? 0) * depth)}`;
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const began = performance.now();
    await probe.get(`${url}/v1/tickets?${asked}`).catch(refused);
    times.push(performance.now() - began);
  }
  return { query: `${asked} (of ${total ?? 'unknown'})`, ms: times.sort((a, b) => a - b)[1] ?? 0 };
}

/** A list that took too long: so long it took. */
function refused(error: unknown): undefined {
  if (!(error instanceof Error && error.message.includes(': 503 '))) throw error;
  return undefined;
}

async function page(probe: Probe, url: string, query: string): Promise<{ rows: Row[]; total: number }> {
  const { body } = await probe.get(`${url}/v1/tickets?${query}`);
  const { data, meta } = JSON.parse(body) as { data: Row[]; meta: { total: number } };
  return { rows: data, total: meta.total };
}
