import fc from 'fast-check';
import { TICKET_PRIORITIES, TICKET_STATUSES } from '../../src/areas/tickets/ticket-values';
import { ticketWords } from '../../src/areas/tickets/ticket-words';
import type { RawQuery } from '../../src/platform/resource/read/list-query';
import { forgetCommonWords } from '../../src/platform/search/bits/common-words';
import { lineMatches, termsOf } from '../../src/platform/search/terms';
import { wordLine } from '../../src/platform/search/words';
import { type Folded, openFolded } from '../support/folded';

/** On both sides of the border between two chunks, and the first of one. */
const NUMBERS = [1, 2, 3, 63, 64, 8_190, 8_191, 8_192, 8_193, 8_255];

let folded: Folded;
beforeAll(async () => {
  folded = await openFolded(500);
});
afterAll(() => folded.close());

interface Row {
  subject: string;
  status: string;
  priority: string;
  created: string;
}

/** A workspace, and what should be in it, by number. */
interface Story {
  workspaceId: number;
  rows: Map<number, Row & { id: number }>;
}

/** What searches are asked for, and by what else. */
const SEARCHES: readonly RawQuery[] = [
  { q: 'vpn' },
  { q: 'p' },
  { q: 'the prin' },
  { q: 'the', status: 'open' },
  { q: 'the', status: 'open,closed', priority: 'high' },
  { q: 'the does', priority: 'low,urgent', created_after: '2020-01-01T00:00:00Z' },
  { q: 'the', created_after: '2026-02-01' },
  { q: 'the', status: 'open,closed', created_before: '2026-03-01T00:00:00.000Z' },
  { q: 'p', created_after: '2026-01-01', created_before: '2026-03-02' },
  { q: '"the vpn"', created_before: '2026-02-02' },
  { q: '"the" issue', tags: 'none-has-it' },
  { q: '"the vpn"' },
  { q: '"the vpn" p', priority: 'high' },
  { q: '"the printer does" issue' },
  { q: 'the-prin', status: 'open' },
  { q: 'vpn-the/printer' },
  { q: '"does the" "vpn printer"' },
  { q: '"the zebra"' },
  { q: '手机手' },
  { q: 'zebra' },
  { q: 'zebra the', status: 'open' },
  { q: '手机' },
  { q: 'größe tck' },
];

/** What a search should find, told from the tickets one by one. */
function expected({ rows }: Story, query: RawQuery): { ids: number[]; total: number } {
  const terms = termsOf(query.q ?? '');
  const has = (wanted: string | undefined, value: string): boolean => !wanted || wanted.split(',').includes(value);
  const isWithin = (created: string): boolean => {
    const at = Date.parse(created);
    return (
      at > Date.parse(query.created_after ?? '2000-01-01') && at < Date.parse(query.created_before ?? '2100-01-01')
    );
  };
  const ids = [...rows]
    .filter(([number, { subject }]) => lineMatches(wordLine(`${subject} TCK-${number} `), terms))
    .filter(([, { status, priority }]) => has(query.status, status) && has(query.priority, priority) && !query.tags)
    .filter(([, { created }]) => isWithin(created))
    .map(([, { id }]) => id)
    .sort((a, b) => a - b);
  return { ids, total: ids.length };
}

const words = ['the', 'vpn', 'printer', 'prints', 'does', 'dos', 'issue', 'zebra', 'Größe', 'groesse', '手机', 'p'];
const row = fc.record({
  subject: fc.array(fc.constantFrom(...words), { maxLength: 5 }).map((each) => each.join(' ')),
  status: fc.constantFrom(...TICKET_STATUSES),
  priority: fc.constantFrom(...TICKET_PRIORITIES),
  // Imports bring old dates, in any order.
  created: fc.constantFrom(
    '2026-01-01T00:00:00Z',
    '2026-02-01T00:00:00Z',
    '2026-02-01T12:00:00Z',
    '2026-03-01T00:00:00Z',
  ),
});

type Change = readonly [kind: 'put' | 'drop', number: number, values: Row];
const change = fc.tuple(
  fc.constantFrom('put', 'put', 'put', 'drop'),
  fc.constantFrom(...NUMBERS),
  row,
) as fc.Arbitrary<Change>;
type Move = 'fold' | 'fail' | 'anew' | { learn: string } | { write: Change } | { during: Change; after: Change };
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ write: change }) },
  { weight: 3, arbitrary: fc.constant('fold' as const) },
  { weight: 1, arbitrary: fc.constant('fail' as const) },
  { weight: 1, arbitrary: fc.constant('anew' as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      learn: fc.constantFrom('the vpn ', 'the prin', 'does the ', 'vpn the printer', 'the zebra '),
    }),
  },
  { weight: 2, arbitrary: fc.record({ during: change, after: change }) },
);

/** Writes as the service does, and in the story. */
async function write({ workspaceId, rows }: Story, [kind, number, values]: Change): Promise<void> {
  const { database } = folded;
  const { subject, status, priority, created } = values;
  const known = rows.get(number);
  await folded.within(workspaceId, () =>
    database.transaction(async () => {
      const of = [workspaceId, number];
      if (kind === 'drop') {
        await database.query('DELETE FROM tickets WHERE workspace_id = $1 AND number = $2', of);
        rows.delete(number);
        return;
      }
      const [written] = await database.query<{ id: number }>(
        known
          ? 'UPDATE tickets SET subject = $3, status = $4, priority = $5, created_at = $6 WHERE workspace_id = $1 AND number = $2 RETURNING id'
          : `INSERT INTO tickets (workspace_id, number, code, subject, status, priority, created_at) VALUES ($1, $2, 'TCK-' || $2::bigint, $3, $4, $5, $6) RETURNING id`,
        [...of, subject, status, priority, created],
      );
      rows.set(number, { ...values, id: written!.id });
    }),
  );
}

const ANEW =
  'UPDATE ticket_word_folds SET ready = false, chunks = 0, newest_when_chosen = NULL WHERE workspace_id = $1';

async function make(story: Story, next: Move): Promise<void> {
  const { workspaceId } = story;
  const { database, sql } = folded;
  if (next === 'anew') await sql.rows(ANEW, [workspaceId]);
  else if (next === 'fold') await database.system(() => folded.step(workspaceId));
  else if (next === 'fail') {
    const broken = folded.interrupted(() => Promise.reject(new Error('killed')));
    await database.system(() => folded.step(workspaceId, broken)).catch(() => undefined);
  } else if ('learn' in next) {
    await sql.rows('INSERT INTO ticket_asked_phrases (workspace_id, phrase) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      workspaceId,
      next.learn,
    ]);
    await database.system(() => folded.step(workspaceId));
    forgetCommonWords(database, ticketWords, workspaceId);
  } else if ('write' in next) await write(story, next.write);
  else {
    const through = folded.interrupted(() => write(story, next.during));
    await database.system(async () => {
      await folded.step(workspaceId, through);
      await write(story, next.after);
    });
  }
}

it('finds what a look at every ticket finds, whatever was written, folded, interrupted and begun anew before', async () => {
  const first = fc.array(row, { maxLength: NUMBERS.length });
  const moves = fc.array(move, { minLength: 4, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(first, moves, async (rows, rest) => {
      const story: Story = { workspaceId: folded.workspace(), rows: new Map() };
      const { workspaceId } = story;
      for (const [index, values] of rows.entries()) await write(story, ['put', NUMBERS[index]!, values]);
      await folded.made(workspaceId);
      for (const [index, next] of rest.entries()) {
        await make(story, next);
        const asked = SEARCHES[(index + rows.length) % SEARCHES.length]!;
        expect([next, asked, await folded.listed(workspaceId, asked)]).toEqual([next, asked, expected(story, asked)]);
      }
      await folded.made(workspaceId);
      forgetCommonWords(folded.database, ticketWords, workspaceId);
      for (const asked of SEARCHES)
        expect([asked, await folded.listed(workspaceId, asked)]).toEqual([asked, expected(story, asked)]);
    }),
    { numRuns: 20 },
  );
  expect(folded.interruptions).toBeGreaterThan(0);
});
