import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CLOCK_COLUMNS, clockLines, COMMENT_COLUMNS, commentLines, TICKET_COLUMNS, ticketLine } from './rows';
import type { SeedTicket } from './tickets';

/** Rows per round at most: one statement of the counter trigger each, and what PostgreSQL holds in memory. */
const CHUNK = 25_000;
const SMALLEST_CHUNK = 500;
/** Small seedings are divided as well, so that somebody who waits sees them move. */
const ROUNDS = 40;
/** Bytes per write: many small writes cost more than what they carry. */
const BLOCK = 128 * 1_024;

const ticketList = TICKET_COLUMNS.join(', ');
const commentList = COMMENT_COLUMNS.join(', ');
const clockList = CLOCK_COLUMNS.join(', ');

/**
 * Fills `tickets`, `ticket_comments`, `ticket_ratings` and `sla_clocks` of one workspace in rounds of COPY into a staging table, then INSERT … SELECT: COPY
 * itself refuses tables under row-level security. Runs as the system role, inside the caller's transaction. Memory use
 * does not grow with `total`.
 *
 * @param ticketAt makes the ticket of a place, 0 to `total` - 1; called in order
 * @param loaded told the number of tickets after every round
 */
export async function loadTickets(
  client: Client,
  workspaceId: number,
  total: number,
  ticketAt: (index: number) => SeedTicket,
  loaded: (tickets: number) => void,
): Promise<{ tickets: number; comments: number }> {
  await createStaging(client, workspaceId);
  const tickets = new Pile();
  const comments = new Pile();
  const clocks = new Pile();
  const chunk = Math.min(CHUNK, Math.max(SMALLEST_CHUNK, Math.ceil(total / ROUNDS)));
  const make = (start: number): number => {
    const end = Math.min(total, start + chunk);
    for (let index = start; index < end; index++) {
      const ticket = ticketAt(index);
      tickets.add(ticketLine(index - start, ticket));
      if (ticket.comments.length) comments.add(commentLines(index - start, ticket));
      if (ticket.sla.clocks.length) clocks.add(clockLines(index - start, ticket));
    }
    return end;
  };
  const done = { tickets: 0, comments: 0 };
  let made = make(0);
  while (done.tickets < total) {
    await copy(client, `seed_tickets (place, ${ticketList})`, tickets.take());
    await copy(client, `seed_comments (place, ${commentList})`, comments.take());
    await copy(client, `seed_clocks (place, ${clockList})`, clocks.take());
    const inserting = insertRound(client, workspaceId);
    const sent = made;
    // PostgreSQL works on this round while the next one is made.
    made = make(sent);
    const inserted = await inserting;
    done.tickets += inserted.tickets;
    done.comments += inserted.comments;
    if (done.tickets !== sent) throw new Error(`${sent} tickets were sent, ${done.tickets} arrived.`);
    loaded(done.tickets);
  }
  return done;
}

/** The staging table takes ids and numbers from the very sequences that creations use, so both may go on side by side. */
async function createStaging(client: Client, workspaceId: number): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE seed_tickets ON COMMIT DROP AS
      SELECT 0 AS place, id, number, ${ticketList} FROM tickets WITH NO DATA;
    CREATE TEMP TABLE seed_comments ON COMMIT DROP AS
      SELECT 0 AS place, ${commentList} FROM ticket_comments WITH NO DATA;
    CREATE TEMP TABLE seed_clocks ON COMMIT DROP AS
      SELECT 0 AS place, ${clockList} FROM sla_clocks WITH NO DATA;
    ALTER TABLE seed_tickets
      ALTER id SET DEFAULT nextval(pg_get_serial_sequence('public.tickets', 'id')::regclass),
      ALTER number SET DEFAULT nextval('counters.ticket_${workspaceId}');
  `);
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

/** Moves what is staged to where it belongs. */
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
  await client.query('TRUNCATE seed_tickets, seed_comments, seed_clocks');
  return { tickets: tickets.rowCount ?? 0, comments: comments.rowCount ?? 0 };
}

async function copy(client: Client, target: string, blocks: Iterable<Buffer>): Promise<void> {
  await pipeline(Readable.from(blocks, { objectMode: true }), client.query(copyFrom(`COPY ${target} FROM STDIN`)));
}
