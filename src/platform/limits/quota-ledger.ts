/** A request that must know the database's answer before it goes on. */
export interface QuotaQuestion {
  /** 1 = wants to be counted if the quota allows, 0 = only looks. */
  wanted: 0 | 1;
  /** Monthly quota that must not be passed; meaningless for a look. */
  limit: number;
  answer: (verdict: QuotaVerdict) => void;
}

export interface QuotaVerdict {
  granted: boolean;
  /** The month's figure as this request should show it. */
  used: number;
  /** Whole seconds until the next UTC month. */
  secondsLeft: number;
}

/** One row of `settle_quota`. */
export interface QuotaSettlement {
  month: string;
  used: number;
  granted: number;
  seconds_left: number;
}

const FRESH_CAPPED_MS = 1000;
const FRESH_MS = 60_000;
/** More than all nodes together serve, in requests per millisecond. */
const FASTEST_USE = 20;
/** So many counts of one node may be unknown to the others. */
const UNSETTLED = 250;

/** What this node knows and owes of one workspace's monthly quota. Pure: the clock (monotonic, ms) is passed in. */
export class QuotaLedger {
  questions: QuotaQuestion[] = [];
  /** Served here, not yet sent to the database. */
  pending = 0;
  /** Served here, on its way to the database. */
  private sending = 0;
  private used = 0;
  private loadedAtMs = -Infinity;
  private monthEndsAtMs = -Infinity;

  constructor(readonly workspaceId: number) {}

  /** The month's figure as far as this node knows. */
  get figure(): number {
    return this.used + this.sending + this.pending;
  }

  get isDirty(): boolean {
    return this.pending > 0 || this.questions.length > 0;
  }

  /** Milliseconds of the monotonic clock at which the database's month ends; -Infinity before the first answer. */
  get monthEndsAt(): number {
    return this.monthEndsAtMs;
  }

  /**
   * Whether a request may be counted without asking: so much is left that the nodes, counting at once, hear of each
   * other before they could pass the quota. The closer the end, the more recent the figure has to be.
   */
  mayCountFreely(nowMs: number, quota: number): boolean {
    const spare = quota - this.figure - Math.max(1000, quota / 100);
    if (spare < 0 || this.sending + this.pending >= UNSETTLED) return false;
    return this.isKnown(nowMs, Math.min(FRESH_CAPPED_MS, spare / FASTEST_USE));
  }

  /** Whether the figure is recent enough to be shown (or to be decided on, with a smaller `withinMs`). */
  isKnown(nowMs: number, withinMs = FRESH_MS): boolean {
    return nowMs - this.loadedAtMs <= withinMs && nowMs < this.monthEndsAtMs;
  }

  /** Takes everything that is due, to be sent; `settle`, `giveBack` or `forget` must follow. */
  take(): { counted: number; questions: QuotaQuestion[] } {
    const taken = { counted: this.pending, questions: this.questions };
    this.sending = this.pending;
    this.pending = 0;
    this.questions = [];
    return taken;
  }

  /** The database has counted what was taken. */
  settle(settlement: QuotaSettlement, questions: readonly QuotaQuestion[], nowMs: number): void {
    this.sending = 0;
    this.used = settlement.used;
    this.loadedAtMs = nowMs;
    this.monthEndsAtMs = nowMs + settlement.seconds_left * 1000;
    let grants = settlement.granted;
    let shown = settlement.used - settlement.granted;
    for (const { wanted, answer } of questions) {
      const granted = wanted === 0 || grants-- > 0;
      if (wanted === 1 && granted) shown++;
      answer({ granted, used: granted ? shown : settlement.used, secondsLeft: settlement.seconds_left });
    }
  }

  /** Nothing of what was taken has reached the database. */
  giveBack(): void {
    this.pending += this.sending;
    this.sending = 0;
  }

  /** It is not known whether what was taken was counted: forgetting it is in the customer's favour. */
  forget(): void {
    this.sending = 0;
  }
}
