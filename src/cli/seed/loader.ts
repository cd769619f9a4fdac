import pLimit from 'p-limit';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CLOCK_COLUMNS, clockLines, COMMENT_COLUMNS, commentLines, TICKET_COLUMNS, ticketLine } from './rows';
import type { SeedTicket } from './tickets';

/** Rows per round at most: one transaction each, of about a second, and one statement of the counter triggers each. */
const CHUNK = 2_500;
const SMALLEST_CHUNK = 500;
/** Small seedings are divided as well, so that somebody who waits sees them move. */
const ROUNDS = 40;
/** Bytes per write: many small writes cost more than what they carry. */
const BLOCK = 128 * 1_024;

const ticketList = TICKET_COLUMNS.join(', ');
const commentList = COMMENT_COLUMNS.join(', ');
const clockList = CLOCK_COLUMNS.join(', ');

/**
 * Fills `tickets`, `ticket_comments`, `ticket_ratings` and `sla_clocks` of one workspace in rounds of COPY into a staging table, then
 * INSERT … SELECT: COPY itself refuses tables under row-level security. Each round is a transaction of its own, so nobody waits for
 * the whole, and what was added stays. Several connections work on a round each. Memory use does not grow with `total`.
 *
 * @param clients sessions of the system role that nobody else uses
 * @param ticketAt makes the ticket of a place, 0 to `total` - 1; called in order, which is that of the ids, too
 * @param loaded told the number of tickets after every round
 */
export async function loadTickets(
  clients: readonly Client[],
  workspaceId: number,
  total: number,
  ticketAt: (index: number) => SeedTicket,
  loaded: (tickets: number) => void,
): Promise<{ tickets: number; comments: number }> {
  const chunk = Math.min(CHUNK, Math.max(SMALLEST_CHUNK, Math.ceil(total / ROUNDS)));
  const done = { tickets: 0, comments: 0 };
  const oneByOne = pLimit(1);
  let next = 0;
  const work = async (client: Client): Promise<void> => {
    await createStaging(client, workspaceId);
    const round = new Round();
    while (next < total) {
      const [start, end] = [next, Math.min(total, next + chunk)];
      next = end;
      for (let index = start; index < end; index++) round.add(index - start, ticketAt(index));
      // Ids are taken when rows are staged: one round after the other.
      await oneByOne(() => round.stage(client));
      const inserted = await insertRound(client, workspaceId);
      if (inserted.tickets !== end - start)
        throw new Error(`${end - start} tickets were sent, ${inserted.tickets} arrived.`);
      done.tickets += inserted.tickets;
      done.comments += inserted.comments;
      loaded(done.tickets);
    }
  };
  const outcomes = await Promise.allSettled(
    clients.map((client) =>
      work(client).catch((error: unknown) => {
        next = total;
        throw error;
      }),
    ),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return done;
}

/** The staging table takes ids and numbers from the very sequences that creations use, so both may go on side by side. */
async function createStaging(client: Client, workspaceId: number): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE seed_tickets ON COMMIT DELETE ROWS AS
      SELECT 0 AS place, id, number, ${ticketList} FROM tickets WITH NO DATA;
    CREATE TEMP TABLE seed_comments ON COMMIT DELETE ROWS AS
      SELECT 0 AS place, ${commentList} FROM ticket_comments WITH NO DATA;
    CREATE TEMP TABLE seed_clocks ON COMMIT DELETE ROWS AS
      SELECT 0 AS place, ${clockList} FROM sla_clocks WITH NO DATA;
    ALTER TABLE seed_tickets
      ALTER id SET DEFAULT nextval(pg_get_serial_sequence('public.tickets', 'id')::regclass),
      ALTER number SET DEFAULT nextval('counters.ticket_${workspaceId}');
  `);
}

/** The tickets of one round, and what belongs to them. */
class Round {
  private readonly tickets = new Pile();
  private readonly comments = new Pile();
  private readonly clocks = new Pile();

  add(place: number, ticket: SeedTicket): void {
    this.tickets.add(ticketLine(place, ticket));
    if (ticket.comments.length) this.comments.add(commentLines(place, ticket));
    if (ticket.sla.clocks.length) this.clocks.add(clockLines(place, ticket));
  }

  /** Begins the transaction of the round. */
  async stage(client: Client): Promise<void> {
    await client.query('BEGIN');
    await copy(client, `seed_tickets (place, ${ticketList})`, this.tickets.take());
    await copy(client, `seed_comments (place, ${commentList})`, this.comments.take());
    await copy(client, `seed_clocks (place, ${clockList})`, this.clocks.take());
  }
}

/** Lines to send, as bytes in one buffer that is used again and again: garbage of that size would pile up for long. */
class Pile {
  private bytes = Buffer.allocUnsafe(1_024 * 1_024);
  private length = 0;

  add(lines: string): void {
    const needed = this.length + 3 * lines.length;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafe(2 * needed);
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    this.length += this.bytes.write(lines, this.length);
  }

  /** Everything in blocks, after which the pile is empty. Valid until something is added again. */
  *take(): Generator<Buffer> {
    const end = this.length;
    this.length = 0;
    for (let start = 0; start < end; start += BLOCK) yield this.bytes.subarray(start, Math.min(end, start + BLOCK));
  }
}

/** Moves what is staged to where it belongs, and commits it. */
async function insertRound(client: Client, workspaceId: number): Promise<{ tickets: number; comments: number }> {
  const tickets = await client.query(
    `INSERT INTO tickets (workspace_id, id, number, code, ${ticketList})
     SELECT $1, id, number, 'TCK-' || lpad(number::text, greatest(6, length(number::text)), '0'), ${ticketList} FROM seed_tickets`,
    [workspaceId],
  );
  const comments = await client.query(
    `INSERT INTO ticket_comments (workspace_id, ticket_id, ${commentList})
     SELECT $1, t.id, ${COMMENT_COLUMNS.map((name) => `c.${name}`).join(', ')} FROM seed_comments c JOIN seed_tickets t USING (place)`,
    [workspaceId],
  );
  await client.query(
    `INSERT INTO sla_clocks (workspace_id, ticket_id, ${clockList}, team_id, agent_id)
     SELECT $1, t.id, ${CLOCK_COLUMNS.map((name) => `k.${name}`).join(', ')},
       CASE WHEN k.decided_at IS NOT NULL THEN t.team_id END, CASE WHEN k.decided_at IS NOT NULL THEN t.assigned_to END
     FROM seed_clocks k JOIN seed_tickets t USING (place)`,
    [workspaceId],
  );
  await client.query(
    `INSERT INTO ticket_ratings (workspace_id, ticket_id, resolution, score, team_id, assigned_to, rated_at, created_at)
     SELECT $1, id, reopened_count + 1, csat_score, team_id, assigned_to, csat_at, csat_at FROM seed_tickets WHERE csat_score IS NOT NULL`,
    [workspaceId],
  );
  await client.query('COMMIT');
  return { tickets: tickets.rowCount ?? 0, comments: comments.rowCount ?? 0 };
}

async function copy(client: Client, target: string, blocks: Iterable<Buffer>): Promise<void> {
  await pipeline(Readable.from(blocks, { objectMode: true }), client.query(copyFrom(`COPY ${target} FROM STDIN`)));
}
