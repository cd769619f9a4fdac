import { parse } from 'csv-parse/sync';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { evaluate, type Judged } from '../../src/areas/ai-engine/model/evaluation';
import { openSession } from '../../src/cli/session';
import { projectRoot } from '../../src/config';
import { migrate } from '../support/migrate';
import { startBenchServices } from './bench-services';
import { Child } from './child';
import { quantile } from './load';
import { createProgressLine } from './progress-line';
import { type Finding, milliseconds, report } from './report';

/** So many of a hundred texts, by their hash, are learnt from; the others are predicted. */
const LEARNT = 80;
const BATCH = 50;
const SUBJECT = 120;
const QUIET_SAMPLES = 500;
const POLL_MS = 250;

interface Labelled {
  text: string;
  label: string;
}

/** What one answer of `POST /ai-engine/predict` is asked for. */
interface Said {
  value: string | null;
  confidence: number | null;
}

/**
 * How good the models are that a workspace makes of its tickets, by the path a user takes: tickets come in closed and with their
 * category, are trained on, and others are predicted.
 *
 * `npm run bench -- ai --corpus tickets.csv.gz`: CSV with the columns `document` and `topic_group`, gzipped if it ends in `.gz`.
 */
export async function runAi(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      corpus: { type: 'string' },
      'data-dir': { type: 'string', default: join(projectRoot, '.data', 'bench-ai') },
    },
  });
  if (values.corpus === undefined) throw new Error('--corpus names the CSV of labelled tickets.');
  const { learnt, kept } = divided(values.corpus);
  const dataDir = values['data-dir'];
  const services = await startBenchServices(dataDir);
  try {
    await migrate(services.migrateDatabaseUrl);
    const token = await workspaceToken(services.databaseUrl, dataDir);
    const { databaseUrl, redisUrl } = services;
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
    const service = await Child.start(join(projectRoot, 'dist', 'src', 'main.js'), env, '/v1/me', token);
    try {
      const desk = new Desk(service, token);
      const names = await desk.import(learnt);
      const findings = [...(await trained(desk, service)), ...(await predicted(desk, kept, names))];
      return report('ai', findings, { learnt: learnt.length, predicted: kept.length, node: process.version });
    } finally {
      await service.stop();
    }
  } finally {
    await services.stop();
  }
}

function divided(file: string): { learnt: Labelled[]; kept: Labelled[] } {
  const bytes = readFileSync(file);
  const csv = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  const rows = parse<{ document: string; topic_group: string }>(csv, { columns: true });
  const all = rows.map((row) => ({ text: row.document, label: row.topic_group }));
  const isLearnt = ({ text }: Labelled): boolean =>
    createHash('sha256').update(text).digest().readUInt32BE(0) % 100 < LEARNT;
  return { learnt: all.filter(isLearnt), kept: all.filter((row) => !isLearnt(row)) };
}

function workspaceToken(databaseUrl: string, dataDir: string): Promise<string> {
  return openSession({ dataDir }, databaseUrl, async ({ plans, provisioning, tokens }) => {
    const limits = { rate_limit_per_minute: 10_000_000, monthly_quota: 1_000_000_000, overage_enabled: true };
    await plans.put({ key: 'bench', ...limits });
    const { id } = await provisioning.createWorkspace({ name: `ai-${Date.now()}`, plan: 'bench' });
    return (await tokens.create({ workspaceId: id, scopes: ['*'], name: 'Bench' })).token;
  });
}

/** A workspace as its API shows it. */
class Desk {
  constructor(
    private readonly service: Child,
    private readonly token: string,
  ) {}

  async send<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const sent = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const answer = await fetch(`${this.service.url}/v1${path}`, sent);
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { data: T }).data;
  }

  /** Brings tickets in, closed and with their categories; answers the names of those by their ids. */
  async import(tickets: readonly Labelled[]): Promise<Map<string, string>> {
    const ids = new Map<string, number>();
    for (const name of [...new Set(tickets.map(({ label }) => label))].sort())
      ids.set(name, (await this.send<{ id: number }>('POST', '/categories', { name })).id);
    const say = createProgressLine('Importing');
    for (let from = 0; from < tickets.length; from += BATCH) {
      const operations = tickets.slice(from, from + BATCH).map(({ text, label }) => ({
        op: 'create',
        data: { ...ticketOf(text), status: 'closed', category_id: ids.get(label) },
      }));
      await this.send('POST', '/tickets/batch', { operations });
      say(`${from} tickets`, from / tickets.length);
    }
    return new Map([...ids].map(([name, id]) => [String(id), name]));
  }

  /** Milliseconds of one `GET /me`. */
  async glance(): Promise<number> {
    const began = performance.now();
    await this.send('GET', '/me');
    return performance.now() - began;
  }
}

function ticketOf(text: string): { subject: string; description: string } {
  // Between two words, so that none is cut.
  const end = text.length <= SUBJECT ? text.length : Math.max(1, text.lastIndexOf(' ', SUBJECT));
  return { subject: text.slice(0, end).trim() || 'Request', description: text.slice(end).trim() };
}

interface MadeModel {
  id: number;
  status: string;
  started_at: string;
  trained_at: string;
  bytes: number;
  evaluation: { accuracy: number; ece: number };
}

/** Trains, and asks who is calling all the while. */
async function trained(desk: Desk, service: Child): Promise<Finding[]> {
  const before: number[] = [];
  for (let sample = 0; sample < QUIET_SAMPLES; sample++) before.push(await desk.glance());
  const most = service.watchMemory();
  const { models } = await desk.send<{ models: { id: number }[] }>('POST', '/ai-engine/train', { tasks: ['category'] });
  const during: number[] = [];
  let model: MadeModel | undefined;
  for (let polled = 0; model?.status !== 'ready';) {
    during.push(await desk.glance());
    if (performance.now() - polled < POLL_MS) continue;
    polled = performance.now();
    model = await desk.send<MadeModel>('GET', `/ai-engine/models/${models[0]?.id ?? 0}`);
    if (model.status === 'failed' || model.status === 'insufficient_data')
      throw new Error(`The model is ${model.status}.`);
    await sleep(5);
  }
  const seconds = (Date.parse(model.trained_at) - Date.parse(model.started_at)) / 1_000;
  const [quiet, busy] = [before, during].map((times) =>
    quantile(
      times.sort((a, b) => a - b),
      0.95,
    ),
  );
  const memory = most();
  return [
    { name: 'training, in s', service: `${seconds.toFixed(1)} s`, value: seconds, target: { most: 60 } },
    {
      name: 'memory of the process, in MB',
      service: `${memory.toFixed(0)} MB`,
      value: memory,
      target: { most: 1_024 },
    },
    {
      name: 'GET /me p95 meanwhile, times that of before',
      service: milliseconds(busy ?? NaN),
      beside: milliseconds(quiet ?? NaN),
      value: (busy ?? NaN) / (quiet ?? NaN),
      target: { most: 2 },
    },
    { name: 'size of the model, in MB', service: '', value: model.bytes / (1 << 20), target: null },
    { name: 'accuracy, as the model says itself', service: '', value: model.evaluation.accuracy, target: null },
    { name: 'ECE, as the model says itself', service: '', value: model.evaluation.ece, target: null },
  ];
}

/** Predicts what was kept aside, and judges that. */
async function predicted(
  desk: Desk,
  kept: readonly Labelled[],
  names: ReadonlyMap<string, string>,
): Promise<Finding[]> {
  await desk.send('PATCH', '/ai-engine/settings', { thresholds: { classify: 0 } });
  const labels = [...new Set(names.values())];
  const judged: Judged[] = [];
  const times: number[] = [];
  const say = createProgressLine('Predicting');
  for (const [index, { text, label }] of kept.entries()) {
    const { subject, description } = ticketOf(text);
    const began = performance.now();
    const { predictions } = await desk.send<{ predictions: Said[] }>('POST', '/ai-engine/predict', {
      text: `${subject}\n${description}`.slice(0, 20_000),
      tasks: ['category'],
    });
    times.push(performance.now() - began);
    const [said] = predictions;
    const predictedLabel = names.get(said?.value ?? '') ?? '';
    judged.push({
      predicted: labels.indexOf(predictedLabel),
      actual: labels.indexOf(label),
      confidence: said?.confidence ?? 0,
    });
    say(`${index} tickets`, index / kept.length);
  }
  const { accuracy, weighted_f1, macro_f1, ece, answered } = evaluate(judged, 0.6);
  const figure = (name: string, value: number | null, target: Finding['target']): Finding => ({
    name,
    service: value?.toFixed(4) ?? '',
    value: value ?? NaN,
    target,
  });
  times.sort((a, b) => a - b);
  return [
    figure('accuracy', accuracy, { least: 0.875 }),
    figure('weighted F1', weighted_f1, { least: 0.875 }),
    figure('macro F1', macro_f1, null),
    figure('expected calibration error', ece, { most: 0.03 }),
    figure('accuracy from confidence 0.6 on', answered.accuracy, { least: 0.92 }),
    figure('coverage from confidence 0.6 on', answered.coverage, { least: 0.85 }),
    figure('a request that predicts, p95 in ms', quantile(times, 0.95), { most: 5 }),
  ];
}
