import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { current, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { type ErrorDetail, fail, invalid } from '../../../platform/errors/api-error';
import { SingleResult } from '../../../platform/http/results';
import { sql } from '../../../platform/postgres/statement-batch';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { MAX_CHARACTERS } from '../model/text-features';
import { SeenText } from '../model/seen-text';
import { LoadedModels, type ReadyModel } from '../models/loaded-models';
import { AiSettingsService, type HoldingSettings } from '../settings/ai-settings.service';
import { refuseSwitchedOff } from '../settings/switched-off';
import { isField, isLearnt, type Task, TASKS, textOf } from '../tasks';
import { ID, writtenLabel } from './label-rules';
import { AskedTickets } from './asked-tickets';
import { type Neighbour, Neighbours } from './neighbours';
import { Labels } from './labels';
import { LearntPredictor, type Names } from './learnt-predictor';
import { type Corrections, told } from './correction';
import { Outcomes } from './outcomes';
import { AiPrediction, BANDS, type NewPrediction, type ToldPrediction } from './prediction.entity';
import type { CreatePrediction, Predict, Predicted, PredictedTask, ReviewPrediction } from './prediction.dto';
import { BreachPredictor } from './breach-predictor';
import { predictIntent, predictLanguage, predictSentiment } from './text-predictors';
import { type PredictedTicket, TicketPredictors } from './ticket-predictors';

/** The record of a prediction; of a text there is none. */
type KeptRecord = Pick<ToldPrediction, 'confidence' | 'score' | 'alternatives'> & {
  id: number | null;
  status: string;
};

/** A ticket as it was when it was looked at. */
interface KnownTicket extends PredictedTicket {
  version: number;
}

/** What is known before anything is predicted. */
interface Known {
  settings: HoldingSettings;
  ready: readonly ReadyModel[];
  corrections: Corrections;
  names?: Names;
}

@Injectable()
export class PredictionsService {
  constructor(
    @InjectStore(AiPrediction) private readonly records: Store<AiPrediction>,
    private readonly database: Database,
    private readonly settings: AiSettingsService,
    private readonly models: LoadedModels,
    private readonly learnt: LearntPredictor,
    private readonly neighbours: Neighbours,
    private readonly compared: TicketPredictors,
    private readonly breaches: BreachPredictor,
    private readonly labels: Labels,
    private readonly outcomes: Outcomes,
    private readonly tickets: AskedTickets,
  ) {}

  /** What is asked for, of a ticket, whose predictions are kept, or of a text. */
  async predict(body: Predict): Promise<Predicted> {
    const { settings, ...known } = await this.known(body.tasks ?? TASKS);
    refuseSwitchedOff(settings, 'tasks');
    const tasks = TASKS.filter((task) => (body.tasks ? body.tasks.includes(task) : settings.tasks[task]));
    const { ticket_id: ticketId, text } = body;
    if ((ticketId === undefined) === (text === undefined)) requireOne(ticketId === undefined);
    if (ticketId !== undefined) {
      await this.tickets.require(ticketId);
      return { ticket_id: ticketId, predictions: await this.ofTicket(ticketId, tasks, settings, known) };
    }
    const about = { id: null, text: text ?? '', priority: null, category_id: null, requester_email: null };
    const predicted = await this.all(about, tasks, settings, known);
    return {
      ticket_id: null,
      predictions: predicted.map((each) => shownOf({ ...each, id: null, status: statusOf(each) }, each)),
    };
  }

  /** The record of what is predicted of a ticket for one task. */
  async create({ ticket_id, task }: CreatePrediction): Promise<SingleResult> {
    const { predictions } = await this.predict({ ticket_id, tasks: [task] });
    const { json, etag } = await this.records.read(predictions[0]?.id ?? 0);
    return new SingleResult(json, etag, 201);
  }

  /** Predictions of a ticket, kept; the same of the same text by the same method is not made twice. */
  async ofTicket(
    id: number,
    tasks: readonly Task[],
    settings: HoldingSettings,
    known?: Omit<Known, 'settings'>,
  ): Promise<PredictedTask[]> {
    const seen = await this.ticket(id);
    if (!seen) return [];
    const early = await this.all(seen, tasks, settings, known);
    return this.database.transaction(async () => {
      // Of one ticket one at a time: a newer one takes the place of the one before it. What changed until then is looked at again.
      const version = await this.tickets.hold(id);
      const ticket = version === seen.version ? seen : ((await this.ticket(id)) ?? seen);
      const predicted = ticket === seen ? early : await this.all(ticket, tasks, settings);
      const kept: PredictedTask[] = [];
      const news: object[] = [];
      for (const each of predicted) {
        const { isNew, ...record } = await this.keep(id, each, hashOf(ticket.text, each));
        kept.push(shownOf(record, each));
        const { task, value, label, confidence } = each;
        if (isNew && value !== null) news.push({ id: record.id, task, value, label, confidence });
      }
      if (news.length > 0) await this.tickets.tell(id, news);
      return kept;
    });
  }

  /** What somebody says of a prediction; `corrected` names what it should have been. */
  review(id: number, { status, value }: ReviewPrediction, expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.mutate(id, expected, async (before) => {
      if (before.status === 'expired') invalid('status', 'expired', 'A newer prediction took the place of this one.');
      if (before.value === null && status !== 'corrected')
        invalid('status', 'abstained', 'Nothing was predicted: it can only be corrected.');
      if (status === 'corrected' && value === undefined) invalid('value', 'required', '"value" is needed to correct.');
      if (status !== 'corrected' && value !== undefined)
        invalid('value', 'not_allowed', '"value" belongs to "corrected" alone.');
      const corrected = value === undefined ? null : await this.required(before, value);
      const judged = {
        accepted: { actual_value: before.value, was_correct: true },
        corrected: {
          actual_value: corrected,
          was_correct: before.value === null ? null : isTrue(before, corrected ?? ''),
        },
        rejected: { actual_value: null, was_correct: false },
      }[status];
      const reviewed_by = current().principal?.userId ?? null;
      const reviewed_at = await this.database.moment();
      this.outcomes.changed();
      return { values: { status, ...judged, reviewed_by, reviewed_at }, events: ['ai_prediction.reviewed'] };
    });
  }

  /** What is asked with every prediction, all at once; in a unit of work, which has one connection, one after the other. */
  private async known(tasks: readonly Task[]): Promise<Known> {
    if (current().transaction) {
      const settings = await this.settings.holding();
      return { settings, ready: await this.models.ready(), corrections: await this.outcomes.corrections() };
    }
    const [settings, ready, corrections, names] = await Promise.all([
      this.settings.holding(),
      this.models.ready(),
      this.outcomes.corrections(),
      this.learnt.namesAhead(tasks),
    ]);
    return { settings, ready, corrections, names };
  }

  private async all(
    ticket: PredictedTicket,
    tasks: readonly Task[],
    settings: HoldingSettings,
    known?: Omit<Known, 'settings'>,
  ): Promise<ToldPrediction[]> {
    const ready = known?.ready ?? (tasks.some(isLearnt) ? await this.models.ready() : []);
    const corrections = known?.corrections ?? (await this.outcomes.corrections());
    const seen = new SeenText(ticket.text);
    const predicted: NewPrediction[] = [];
    let near: Neighbour[] | null = null;
    for (const task of tasks) {
      if (task === 'intent' && !ready.some((model) => model.task === 'intent'))
        predicted.push(predictIntent(ticket.text));
      else if (task === 'sla_breach_risk') predicted.push(await this.breaches.predict(ticket, ready));
      else if (isLearnt(task)) {
        const { classify } = settings.thresholds;
        const learnt = await this.learnt.predict(task, seen, ready, classify, corrections, known?.names);
        if (learnt.abstain_reason !== 'insufficient_data' || !isField(task)) predicted.push(learnt);
        else predicted.push(await this.neighbours.beside(learnt, task, (near ??= await this.neighbours.of(ticket))));
      } else if (task === 'language') predicted.push(predictLanguage(ticket.text));
      else if (task === 'sentiment') predicted.push(predictSentiment(ticket.text));
      else if (task === 'duplicate') predicted.push(await this.compared.duplicate(ticket));
      else predicted.push(await this.compared.resolutionTime(ticket));
    }
    return predicted.map((each) => told(each, corrections.of(each.task, each.method, each.model_id)));
  }

  private async ticket(id: number): Promise<KnownTicket | null> {
    const text = `SELECT t.id, t.version, t.subject, left(t.description, ${MAX_CHARACTERS}) AS description, t.priority, t.category_id, t.requester_email
      FROM tickets t WHERE t.workspace_id = $1 AND t.id = $2`;
    type Stored = Omit<KnownTicket, 'text'> & { subject: string; description: string };
    const [row] = await this.database.read(sql<Stored>(text, [currentWorkspaceId(), id]));
    return row ? { ...row, text: textOf(row) } : null;
  }

  /** The record of a prediction: the one that is there, or a new one in place of the last. */
  private async keep(
    ticketId: number,
    predicted: ToldPrediction,
    input_hash: string,
  ): Promise<KeptRecord & { isNew: boolean }> {
    const key = [currentWorkspaceId(), ticketId, predicted.task];
    const [last] = await this.database.query<KeptRecord & { id: number; input_hash: string }>(
      `SELECT id, input_hash, status, confidence::float AS confidence, score::float AS score, alternatives FROM ai_predictions WHERE workspace_id = $1 AND ticket_id = $2 AND task = $3 AND status <> 'expired'
       ORDER BY created_at DESC, id DESC LIMIT 1`,
      key,
    );
    // One that nobody has judged is made anew where it is another band by now: reviews have moved it.
    const isSame = last?.status !== 'pending' || bandOf(last.confidence) === bandOf(predicted.confidence);
    if (last?.input_hash === input_hash && isSame) {
      const { id, status, confidence, score, alternatives } = last;
      return { id, status, confidence, score, alternatives, isNew: false };
    }
    if (last && (last.status === 'pending' || last.status === 'abstained')) {
      const expired = { values: { status: 'expired' }, events: ['ai_prediction.expired'] } as const;
      await this.records.apply(await this.records.lock(last.id), expired);
    }
    const status = statusOf(predicted);
    const { id } = await this.records.insert({}, (values) => {
      Object.assign(values, { ...predicted, ticket_id: ticketId, status, input_hash });
      return undefined;
    });
    const { confidence, score, alternatives } = predicted;
    return { id, status, confidence, score, alternatives, isNew: true };
  }

  /** A value as it is kept; refuses one that a ticket could not have. */
  private async required(
    { task, ticket_id }: Pick<AiPrediction, 'task' | 'ticket_id'>,
    given: string,
  ): Promise<string> {
    const written = writtenLabel(task, given);
    if ('problem' in written) {
      const { code, problem, ...allowed } = written;
      invalid('value', code, `"value" ${problem}.`, allowed);
    }
    const { value } = written;
    if (value === String(ticket_id) && task === 'duplicate')
      invalid('value', 'conflict', '"value" names the ticket itself.');
    if (!(await this.isThere(task, value)))
      invalid('value', 'not_found', `"value" names no ${named(task)} that there is.`);
    return value;
  }

  /** Whether what a value names is there; most tasks have values that name nothing. */
  private async isThere(task: Task, value: string): Promise<boolean> {
    if (task === 'duplicate') return ID.test(value) && (await this.tickets.isSeen(Number(value)));
    return !isLearnt(task) || (await this.labels.of(task, [value])).has(value);
  }
}

const named = (task: Task): string => (task === 'duplicate' ? 'ticket' : task);

/** Whether a prediction says what is true: of tags, whether the ticket has all of those that it says. */
function isTrue({ task, value }: Pick<NewPrediction, 'task' | 'value'>, actual: string): boolean {
  if (task !== 'tags') return value === actual;
  const own = actual.split(',');
  return (value ?? '').split(',').every((tag) => own.includes(tag));
}

function requireOne(isMissing: boolean): never {
  const field = isMissing ? 'ticket_id' : 'text';
  const message = `${field}: give exactly one of ticket_id and text`;
  const detail: ErrorDetail = { field, code: isMissing ? 'required' : 'conflict', message };
  fail('validation_error', `${message}.`, { missing: isMissing ? [field] : [], details: [detail] });
}

/** Tells whether a prediction would be another one: by the text, and by what was made of it. */
function hashOf(text: string, { method, model_id, value, abstain_reason }: NewPrediction): string {
  return createHash('sha256')
    .update(JSON.stringify([text, method, model_id, value, abstain_reason]))
    .digest('hex');
}

function shownOf({ id, status, confidence, score, alternatives }: KeptRecord, predicted: NewPrediction): PredictedTask {
  return { ...predicted, id, status, confidence, score, alternatives, confidence_band: bandOf(confidence) };
}

function statusOf({ value }: NewPrediction): 'abstained' | 'pending' {
  return value === null ? 'abstained' : 'pending';
}

function bandOf(confidence: number | null): string | null {
  if (confidence === null) return null;
  return confidence >= BANDS.high ? 'high' : confidence >= BANDS.medium ? 'medium' : 'low';
}
