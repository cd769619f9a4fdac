import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make } from '../support/cast';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const DAY_MS = 86_400_000;
const NOW = Math.floor(Date.now() / 1000) * 1000;
const at = (daysAgo: number): string => new Date(NOW - daysAgo * DAY_MS).toISOString();
const FROM = at(60);
const TO = at(10);

let home: TestWorkspace;
let pipeline: Fields;
let stages: Fields[];
let other: Fields;

/** One deal of the story: its value, and the stages it went through, each with the days ago at which it came there. */
interface Told {
  value: number;
  currency: string;
  way: { stage: Fields; at: number }[];
}

/** A reproducible sequence of numbers in [0, 1). */
function dice(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const story: Told[] = [];

beforeAll(async () => {
  home = await makeWorkspace(server);
  pipeline = await make(home.api, '/crm/pipelines');
  other = await make(home.api, '/crm/pipelines');
  stages = pipeline.stages as Fields[];
  const roll = dice(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T;
  for (let index = 0; index < 40; index++) {
    const open = stages.filter(({ type }) => type === 'open');
    const way = [{ stage: pick(open), at: 90 * roll() + 0.5 }];
    for (;;) {
      const last = way.at(-1) as Told['way'][number];
      if (last.at < 1 || last.stage.pipeline_id === other.id || roll() < (last.stage.type === 'open' ? 0.2 : 0.7))
        break;
      const rest = last.stage.type === 'open' ? [...stages, (other.stages as Fields[])[0] as Fields] : open;
      way.push({ stage: pick(rest.filter(({ id }) => id !== last.stage.id)), at: last.at * (0.4 + 0.6 * roll()) });
    }
    story.push({ value: Math.floor(roll() * 1000), currency: pick(['EUR', 'USD']), way });
  }
  for (const told of story) await tell(told);
});

/** Walks the deal through the API, then sets back the clock of what was recorded. */
async function tell({ value, currency, way }: Told): Promise<void> {
  const [first, ...rest] = way;
  const body = { title: 'Told', value, currency, stage_id: first?.stage.id };
  const { id } = (await home.api.post('/crm/deals', body)).expect(201).data;
  for (const { stage } of rest) {
    const change = {
      stage_id: stage.id,
      ...(stage.type === 'lost' ? { lost_reason: 'Price' } : {}),
      ...(stage.type === 'open' ? { status: 'open' } : {}),
    };
    (await home.api.patch(`/crm/deals/${id}`, change)).expect(200);
  }
  const moments = way.map((step) => at(step.at));
  await sql.rows(
    `UPDATE deal_stage_changes h SET created_at = n.moment, left_at = n.left_at FROM (
       SELECT id, ($2::timestamptz[])[row_number() OVER (ORDER BY id)] AS moment, ($2::timestamptz[])[row_number() OVER (ORDER BY id) + 1] AS left_at
       FROM deal_stage_changes WHERE deal_id = $1) n WHERE h.id = n.id`,
    [id, moments],
  );
  await sql.rows(
    `UPDATE deals SET created_at = $2, stage_changed_at = $3, closed_at = CASE WHEN closed_at IS NOT NULL THEN $3::timestamptz END,
       won_at = CASE WHEN won_at IS NOT NULL THEN $3::timestamptz END, lost_at = CASE WHEN lost_at IS NOT NULL THEN $3::timestamptz END
     WHERE id = $1`,
    [id, moments[0], moments.at(-1)],
  );
}

const metrics = async (query = `from=${FROM}&to=${TO}`): Promise<Fields> =>
  (await home.api.get(`/crm/pipelines/${pipeline.id}/metrics?${query}`)).expect(200).data;

const within = (daysAgo: number): boolean => at(daysAgo) >= FROM && at(daysAgo) < TO;
const lastOf = ({ way }: Told): Told['way'][number] => way.at(-1) as Told['way'][number];
const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
};
const average = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const summed = (told: readonly Told[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const { value, currency } of told) sums[currency] = (sums[currency] ?? 0) + value;
  return sums;
};

describe('the metrics of a pipeline', () => {
  it('count every stay as a reading of the whole story does', async () => {
    const shown = (await metrics()).stages as Fields[];
    expect(shown.map(({ id, name }) => [id, name])).toEqual(stages.map(({ id, name }) => [id, name]));
    let entered = 0;
    for (const row of shown) {
      const stage = stages.find(({ id }) => id === row.id) as Fields;
      const expected = { entered: 0, moved_on: 0, moved_back: 0, lost: 0, left: 0, still_there: 0 };
      for (const { way } of story) {
        for (const [index, step] of way.entries()) {
          if (step.stage.id !== stage.id || !within(step.at)) continue;
          expected.entered++;
          const next = way[index + 1];
          if (!next || at(next.at) >= TO) expected.still_there++;
          else if (stage.type !== 'open' || next.stage.pipeline_id !== pipeline.id) expected.left++;
          else if (next.stage.type === 'lost') expected.lost++;
          else if (next.stage.type === 'won' || Number(next.stage.position) > Number(stage.position))
            expected.moved_on++;
          else expected.moved_back++;
        }
      }
      entered += expected.entered;
      const pct = expected.entered ? Math.round((expected.moved_on / expected.entered) * 10_000) / 100 : null;
      expect(row).toMatchObject({ ...expected, conversion_pct: pct });
    }
    expect(entered).toBeGreaterThan(30);
  });

  it('show the deals that are in each stage now, their age and value', async () => {
    for (const row of (await metrics()).stages as Fields[]) {
      const here = story.filter((told) => lastOf(told).stage.id === row.id);
      expect([row.deal_count, row.values]).toEqual([here.length, summed(here)]);
      if (here.length === 0) {
        expect([row.average_age_seconds, row.median_age_seconds]).toEqual([null, null]);
        continue;
      }
      const ages = here.map((told) => (lastOf(told).at * DAY_MS) / 1000);
      // The clock goes on between the telling and the question, for no longer than the test runs.
      const passed = (Date.now() - NOW) / 1000 + 1;
      for (const [value, least] of [
        [row.average_age_seconds, average(ages)],
        [row.median_age_seconds, median(ages)],
      ] as [number, number][]) {
        expect(value).toBeGreaterThanOrEqual(least - 1);
        expect(value).toBeLessThanOrEqual(least + passed);
      }
    }
  });

  it('count what was closed in the window, and how long that took', async () => {
    const here = story.filter((told) => lastOf(told).stage.pipeline_id === pipeline.id);
    const closed = (type: string): Told[] =>
      here.filter((told) => lastOf(told).stage.type === type && within(lastOf(told).at));
    const [won, lost] = [closed('won'), closed('lost')];
    const open = here.filter((told) => lastOf(told).stage.type === 'open');
    expect([won.length > 1, lost.length > 0]).toEqual([true, true]);
    const cycles = won.map((told) => (((told.way[0]?.at ?? 0) - lastOf(told).at) * DAY_MS) / 1000);
    const shown = await metrics();
    expect(shown).toMatchObject({
      pipeline_id: pipeline.id,
      from: FROM,
      to: TO,
      created: here.filter(({ way }) => within(way[0]?.at ?? 0)).length,
      open: open.length,
      open_values: summed(open),
      won: won.length,
      lost: lost.length,
      won_values: summed(won),
      lost_values: summed(lost),
      win_rate_pct: Math.round((won.length / (won.length + lost.length)) * 10_000) / 100,
    });
    expect(Math.abs((shown.average_cycle_seconds as number) - average(cycles))).toBeLessThanOrEqual(1);
    expect(Math.abs((shown.median_cycle_seconds as number) - median(cycles))).toBeLessThanOrEqual(1);
  });

  it('have nothing to say about an empty pipeline, but say so', async () => {
    const empty = await make(home.api, '/crm/pipelines');
    const shown = (await home.api.get(`/crm/pipelines/${empty.id}/metrics`)).expect(200).data;
    expect(shown).toMatchObject({ won: 0, lost: 0, win_rate_pct: null, average_cycle_seconds: null, open_values: {} });
    expect((shown.stages as Fields[]).map(({ entered, conversion_pct }) => [entered, conversion_pct])).toEqual(
      Array(6).fill([0, null]),
    );
  });

  it('refuse what they cannot read, and another pipeline than there is', async () => {
    const path = `/crm/pipelines/${pipeline.id}/metrics`;
    expect((await home.api.get(`${path}?from=soon`)).expect(422).codes).toEqual({ from: 'format' });
    expect((await home.api.get(`${path}?stage=1`)).expect(422).codes).toEqual({ stage: 'unknown_parameter' });
    expect((await home.api.get('/crm/pipelines/999999999/metrics')).status).toBe(404);
    const foreign = await makeWorkspace(server);
    expect((await foreign.api.get(path)).status).toBe(404);
  });
});
