import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DatabaseError } from 'pg';
import type { AccessPlan } from '../context/access';
import type { Context } from '../context/current';
import { Database } from '../database/database';
import { QuotaLedger, type QuotaQuestion, type QuotaSettlement, type QuotaVerdict } from './quota-ledger';

/** How long counts may wait to travel together; shorter where a quota must not be passed. */
const SLICE_CAPPED_MS = 20;
const SLICE_MS = 25;
const RETRY_MS = 500;
const WORKSPACES = 20_000;

interface Row extends QuotaSettlement {
  workspace_id: number;
}

interface Taken {
  ledger: QuotaLedger;
  counted: number;
  questions: QuotaQuestion[];
}

/**
 * Requests per workspace and UTC month, counted by PostgreSQL so that they survive anything. Counts of a few
 * milliseconds travel together in the background; only close to the end of a quota without overage does a request wait
 * for the database's word. PostgreSQL away: counting goes on in memory and is written later.
 */
@Injectable()
export class QuotaService implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(QuotaService.name);
  private readonly ledgers = new LRUCache<number, QuotaLedger>({ max: WORKSPACES });
  /** Ledgers with something to send: also keeps them from being forgotten. */
  private readonly dirty = new Set<QuotaLedger>();
  private timer: NodeJS.Timeout | null = null;
  private timerDueAt = Infinity;
  private flushing: Promise<void> | null = null;
  private failingUntil = -Infinity;

  constructor(private readonly database: Database) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flush();
    if (this.timer) clearTimeout(this.timer);
  }

  /**
   * Counts the request of `context` against its plan's quota; sets `context.quotaUsed`, this request included.
   *
   * @returns null when it may go on, else the verdict that refuses it; a promise only when the database must be asked
   */
  count(context: Context): QuotaVerdict | null | Promise<QuotaVerdict | null> {
    const plan = context.access?.plan ?? null;
    if (!isCapped(plan)) return this.countAnyway(context);
    const ledger = this.ledgerOf(context);
    if (ledger.mayCountFreely(performance.now(), plan.monthly_quota)) {
      context.quotaUsed = this.add(ledger, SLICE_CAPPED_MS);
      return null;
    }
    return this.ask(ledger, 1, plan.monthly_quota).then((verdict) => {
      context.quotaUsed = verdict.used;
      return verdict.granted ? null : verdict;
    });
  }

  /** Counts a request that was refused before its quota was looked at (403): never refused here. */
  async countUnchecked(context: Context): Promise<void> {
    await this.countAnyway(context);
  }

  /** Sets `context.quotaUsed` without counting. */
  async look(context: Context): Promise<void> {
    const ledger = this.ledgerOf(context);
    if (ledger.isKnown(performance.now())) context.quotaUsed = ledger.figure;
    else context.quotaUsed = (await this.ask(ledger, 0, 0)).used;
  }

  /** Sends everything that is due. Never throws: what could not be sent is sent later. */
  async flush(): Promise<void> {
    while (this.flushing) await this.flushing;
    if (!this.dirty.size) return;
    this.flushing = this.settleAll().finally(() => {
      this.flushing = null;
      this.scheduleRest();
    });
    await this.flushing;
  }

  private countAnyway(context: Context): null | Promise<null> {
    const ledger = this.ledgerOf(context);
    const figure = this.add(ledger, SLICE_MS);
    if (!ledger.isKnown(performance.now())) {
      return this.ask(ledger, 0, 0).then(({ used }) => {
        context.quotaUsed = used;
        return null;
      });
    }
    context.quotaUsed = figure;
    return null;
  }

  private add(ledger: QuotaLedger, sliceMs: number): number {
    ledger.pending++;
    this.dirty.add(ledger);
    this.schedule(sliceMs);
    return ledger.figure;
  }

  private ask(ledger: QuotaLedger, wanted: 0 | 1, limit: number): Promise<QuotaVerdict> {
    if (performance.now() < this.failingUntil) return Promise.resolve(this.decideAlone(ledger, wanted, limit));
    return new Promise((answer) => {
      ledger.questions.push({ wanted, limit, answer });
      this.dirty.add(ledger);
      this.schedule(0);
    });
  }

  private schedule(inMs: number): void {
    const now = performance.now();
    const dueAt = Math.max(now + inMs, this.failingUntil);
    if (this.flushing || this.timerDueAt <= dueAt) return;
    if (this.timer) clearTimeout(this.timer);
    this.timerDueAt = dueAt;
    // The first flush after an idle time begins at once; while it is on its way the next one gathers.
    this.timer = setTimeout(() => void this.flush(), dueAt - now).unref();
  }

  private async settleAll(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.timerDueAt = Infinity;
    const taken = [...this.dirty].map((ledger): Taken => ({ ledger, ...ledger.take() }));
    this.dirty.clear();
    const known = await this.send(taken);
    for (const { ledger, questions } of taken) {
      const row = known?.get(ledger.workspaceId);
      if (row) ledger.settle(row, questions, performance.now());
      else for (const { wanted, limit, answer } of questions) answer(this.decideAlone(ledger, wanted, limit));
    }
  }

  /** What arrived while the flush was on its way. */
  private scheduleRest(): void {
    if (!this.dirty.size) return;
    const asked = [...this.dirty].some((ledger) => ledger.questions.length > 0);
    this.schedule(asked ? 0 : SLICE_CAPPED_MS);
  }

  /** Null when the database could not be asked. */
  private async send(taken: readonly Taken[]): Promise<Map<number, Row> | null> {
    let sent = false;
    try {
      const client = await this.database.connect();
      let failure: Error | undefined;
      try {
        sent = true;
        const { rows } = await client.query<Row>({ name: 'settle_quota', text: SETTLE, values: parameters(taken) });
        this.failingUntil = -Infinity;
        const found = new Map(rows.map((row) => [row.workspace_id, row]));
        // Rows that are missing belong to workspaces that are gone: nothing is owed any more.
        for (const { ledger } of taken) if (!found.has(ledger.workspaceId)) ledger.forget();
        return found;
      } catch (error) {
        failure = error as Error;
        throw error;
      } finally {
        client.release(failure);
      }
    } catch (error) {
      this.failed(taken, error as Error, sent);
      return null;
    }
  }

  private failed(taken: readonly Taken[], error: Error, sent: boolean): void {
    if (this.failingUntil === -Infinity) this.logger.warn(`Usage is counted in memory for now: ${error.message}`);
    this.failingUntil = performance.now() + RETRY_MS;
    // PostgreSQL said no, so nothing was counted; a connection that broke on the way says nothing.
    const uncertain = sent && !(error instanceof DatabaseError);
    for (const { ledger, counted } of taken) {
      if (uncertain) ledger.forget();
      else ledger.giveBack();
      if (counted > 0 && ledger.pending > 0) this.dirty.add(ledger);
    }
  }

  /** Without the database: refuses only what is known to be used up. */
  private decideAlone(ledger: QuotaLedger, wanted: 0 | 1, limit: number): QuotaVerdict {
    const now = performance.now();
    const usedUp = limit > 0 && ledger.figure >= limit && now < ledger.monthEndsAt;
    const granted = wanted === 0 || !usedUp;
    if (wanted === 1 && granted) this.add(ledger, RETRY_MS);
    const secondsLeft = Math.max(1, Math.ceil((ledger.monthEndsAt - now) / 1000));
    return { granted, used: ledger.figure, secondsLeft: Number.isFinite(secondsLeft) ? secondsLeft : 1 };
  }

  private ledgerOf(context: Context): QuotaLedger {
    const { access } = context;
    if (!access) throw new Error('Only requests with an access record are counted.');
    const { id } = access.workspace;
    let ledger = this.ledgers.get(id);
    if (!ledger) this.ledgers.set(id, (ledger = new QuotaLedger(id)));
    return ledger;
  }
}

const SETTLE = 'SELECT workspace_id, month, used, granted, seconds_left FROM settle_quota($1, $2, $3, $4)';

function parameters(taken: readonly Taken[]): number[][] {
  return [
    taken.map(({ ledger }) => ledger.workspaceId),
    taken.map(({ counted }) => counted),
    taken.map(({ questions }) => questions.reduce((sum, { wanted }) => sum + wanted, 0)),
    taken.map(({ questions }) => questions.reduce((limit, question) => (question.wanted ? question.limit : limit), 0)),
  ];
}

function isCapped(plan: AccessPlan | null): plan is AccessPlan {
  return plan !== null && plan.monthly_quota > 0 && !plan.overage_enabled;
}
