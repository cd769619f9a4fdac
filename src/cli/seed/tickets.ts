import type { TicketStatus } from '../../areas/tickets/ticket-values';
import type { Agent, Cast, Requester } from './cast';
import { type SeedClocks, seedClocks } from './clocks';
import { generateComments, type SeedComment } from './comments';
import type { Desk } from './desk';
import { drawer, Random } from './random';
import { type TicketText, ticketTexts } from './text';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 1_440 * MINUTE_MS;

/** Resolved tickets close by themselves after seven days: no seeded one is about to. */
const RESOLVED_DAYS = 6;

/** A generated ticket; moments are milliseconds since 1970. */
export interface SeedTicket {
  text: TicketText;
  life: Life;
  priority: string;
  channel: string;
  type: string;
  requester: Requester | null;
  categoryId: number | null;
  agent: Agent | null;
  teamId: number | null;
  createdAt: number;
  updatedAt: number;
  escalation: { at: number; text: string; record: string } | null;
  csat: { score: number; at: number } | null;
  comments: SeedComment[];
  sla: SeedClocks;
}

/** How far a ticket got. */
interface Life {
  status: TicketStatus;
  heldAt: number | null;
  heldUntil: number | null;
  holdReason: string | null;
  firstResolvedAt: number | null;
  resolvedAt: number | null;
  closedAt: number | null;
  pausedSeconds: number;
  reopened: number;
}

export interface TicketSource {
  cast: Cast;
  total: number;
  withComments: boolean;
  seed: number;
  desk: Desk;
  /** The database's clock, milliseconds since 1970. */
  now: number;
  /** Texts of others' making. */
  text?: () => TicketText;
}

const anyPriority = drawer(['low', 'medium', 'high', 'urgent'], [25, 50, 18, 7]);
const anyChannel = drawer(['email', 'portal', 'phone', 'chat', 'internal'], [45, 30, 12, 10, 3]);
const anyType = drawer(['incident', 'request', 'question', 'problem', 'task'], [40, 30, 22, 5, 3]);
const anyScore = drawer([5, 4, 3, 2, 1], [50, 28, 10, 6, 6]);
const anyHold = drawer(['customer', 'third_party', 'internal'], [6, 3, 1]);

/**
 * A generator of tickets whose columns agree with each other: moments in order, SLA columns as the service computes them,
 * creation moments rising from ticket to ticket.
 */
export function ticketGenerator(source: TicketSource): (index: number) => SeedTicket {
  const { cast, total, now, withComments, desk } = source;
  const random = new Random(source.seed);
  const text = source.text ?? ticketTexts(random, total);
  return (index) => {
    const remaining = 1 - (index + random.next()) / total;
    const createdAt = Math.floor(now - 2 * SECOND_MS - desk.spanDays * DAY_MS * remaining * remaining);
    const priority = anyPriority(random);
    const channel = anyChannel(random);
    const requester = random.chance(0.97) && cast.requesters.length ? anyRequester(random, cast) : null;
    const categoryId = random.chance(0.9) && cast.categories.length ? random.of(cast.categories) : null;
    const policy = cast.policyFor(requester?.company_id ?? null, categoryId);
    const target = policy?.targets[priority]?.resolution_minutes ?? 1_440;
    const life = live(random, createdAt, now, target, desk);
    const assigned = cast.agents.length > 0 && random.chance(life.status === 'open' ? 0.45 : 0.96);
    const agent = assigned ? random.of(cast.agents) : null;
    const end = life.heldAt ?? life.resolvedAt ?? now;
    const author = agent ?? (cast.agents.length ? random.of(cast.agents) : null);
    const comments = withComments ? generateComments(random, { life, createdAt, end, author, requester }) : [];
    const escalation = escalate(random, priority, createdAt, end, agent);
    const csat = rate(random, life, now);
    return {
      text: text(),
      life,
      priority,
      channel,
      type: anyType(random),
      requester,
      categoryId,
      agent,
      teamId: agent?.team_id ?? null,
      createdAt,
      updatedAt: latest(createdAt, life, comments, escalation, csat),
      escalation,
      csat,
      comments,
      sla: seedClocks(policy, { ...life, priority, channel, createdAt, comments }, now, desk.keepsHistory),
    };
  };
}

/** Milliseconds since 1970 as ISO 8601. */
export function iso(moment: number): string {
  const day = Math.floor(moment / DAY_MS);
  let date = dates.get(day);
  if (date === undefined) dates.set(day, (date = new Date(day * DAY_MS).toISOString().slice(0, 11)));
  const time = moment - day * DAY_MS;
  const [hours, minutes] = [Math.floor(time / (60 * MINUTE_MS)), Math.floor(time / MINUTE_MS) % 60];
  const seconds = ((time % MINUTE_MS) + 100_000).toString();
  return `${date}${two[hours]}:${two[minutes]}:${seconds.slice(1, 3)}.${seconds.slice(3)}Z`;
}

/** A dozen moments per ticket are written, on a few hundred days: half of the time would go into formatting them. */
const dates = new Map<number, string>();
const two = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

function anyRequester(random: Random, { requesters }: Cast): Requester | null {
  return requesters[Math.floor(random.skewed(0, requesters.length))] ?? null;
}

/** @param target minutes that the policy allows until the resolution */
function live(random: Random, createdAt: number, now: number, target: number, desk: Desk): Life {
  const age = now - createdAt;
  const draw = age < DAY_MS ? desk.ofToday : age < RESOLVED_DAYS * DAY_MS ? desk.ofTheWeek : desk.ofTheBacklog;
  const life: Life = {
    status: draw(random),
    heldAt: null,
    heldUntil: null,
    holdReason: null,
    firstResolvedAt: null,
    resolvedAt: null,
    closedAt: null,
    pausedSeconds: 0,
    reopened: 0,
  };
  if (life.status === 'on_hold') {
    life.heldAt = Math.floor(createdAt + age * random.skewed(0.01, 0.9));
    life.holdReason = anyHold(random);
    life.heldUntil = random.chance(0.3) ? Math.floor(now + DAY_MS * (1 + 13 * random.next())) : null;
  } else if (life.status === 'resolved' && !desk.keepsHistory) {
    const earliest = Math.max(createdAt, now - RESOLVED_DAYS * DAY_MS);
    life.resolvedAt = Math.floor(earliest + (now - earliest) * random.next());
  } else if (life.status === 'resolved' || life.status === 'closed') {
    const needed = target * MINUTE_MS * random.skewed(0.02, desk.slowest);
    life.resolvedAt = Math.floor(createdAt + Math.min(needed, age * (0.3 + 0.6 * random.next())));
    if (life.status === 'closed')
      life.closedAt = Math.floor(life.resolvedAt + Math.min(7 * DAY_MS, now - life.resolvedAt) * random.next());
  }
  const end = life.heldAt ?? life.resolvedAt ?? now;
  if (life.status !== 'open' && random.chance(0.15)) {
    life.pausedSeconds = Math.floor(((end - createdAt) / SECOND_MS) * random.skewed(0, 0.5));
  }
  life.firstResolvedAt = life.resolvedAt;
  if (life.resolvedAt !== null && random.chance(0.05)) {
    life.reopened = 1;
    life.firstResolvedAt = Math.floor(createdAt + (life.resolvedAt - createdAt) * (0.2 + 0.6 * random.next()));
  }
  return life;
}

function escalate(
  random: Random,
  priority: string,
  createdAt: number,
  end: number,
  agent: Agent | null,
): SeedTicket['escalation'] {
  if (!random.chance(priority === 'urgent' ? 0.2 : priority === 'high' ? 0.06 : 0)) return null;
  const at = Math.floor(createdAt + (end - createdAt) * random.next());
  const text = random.of(['Promised date has passed', 'Several people are blocked', 'Customer asked for a manager']);
  const record = {
    level: 1,
    from_priority: priority === 'urgent' ? 'high' : 'medium',
    to_priority: priority,
    from_user: null,
    to_user: agent?.id ?? null,
    to_team: agent?.team_id ?? null,
    reason: text,
    actor: { type: 'system', id: null, name: 'seed' },
    at: iso(at),
  };
  return { at, text, record: JSON.stringify([record]) };
}

function rate(random: Random, life: Life, now: number): SeedTicket['csat'] {
  if (life.resolvedAt === null || !random.chance(0.12)) return null;
  const within = Math.min(3 * DAY_MS, now - life.resolvedAt);
  return { score: anyScore(random), at: Math.floor(life.resolvedAt + within * random.next()) };
}

function latest(
  createdAt: number,
  life: Life,
  comments: readonly SeedComment[],
  escalation: SeedTicket['escalation'],
  csat: SeedTicket['csat'],
): number {
  return Math.max(
    createdAt,
    life.heldAt ?? 0,
    life.resolvedAt ?? 0,
    life.closedAt ?? 0,
    comments.at(-1)?.at ?? 0,
    escalation?.at ?? 0,
    csat?.at ?? 0,
  );
}
