import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { evaluate, type Judged } from '../../src/areas/ai-engine/model/evaluation';
import { projectRoot } from '../../src/config';
import { migrate } from '../support/migrate';
import { conversing } from './ai-conversations';
import { Desk, divided, type Labelled, ticketOf, workspaceToken } from './ai-desk';
import { retrieved } from './ai-retrieval';
import { postmasterOf, startBenchServices } from './bench-services';
import { Child } from './child';
import { quantile } from './load';
import { createProgressLine } from './progress-line';
import { type Finding, milliseconds, report } from './report';

const QUIET_SAMPLES = 500;
const POLL_MS = 250;

/** What one answer of `POST /ai-engine/predict` is asked for. */
interface Said {
  value: string | null;
  confidence: number | null;
}

const PARTS = ['models', 'retrieval', 'conversations'] as const;

/**
 * How good the AI engine is, and what it costs, by the path a user takes: tickets come in closed and with their category, are trained on,
 * and others are predicted; passages are looked up; customers are answered.
 *
 * `npm run bench -- ai --corpus tickets.csv.gz`: CSV with the columns `document` and `topic_group`, gzipped if it ends in `.gz`.
 * `--part` does one of the parts (conversations need no corpus), `--tickets` takes fewer of the corpus in, `--questions` looks fewer up, `--again` takes those that came in before.
 */
export async function runAi(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      corpus: { type: 'string' },
      part: { type: 'string' },
      tickets: { type: 'string', default: '1000000' },
      questions: { type: 'string', default: '500' },
      again: { type: 'boolean', default: false },
      'data-dir': { type: 'string', default: join(projectRoot, '.data', 'bench-ai') },
    },
  });
  const parts = PARTS.filter((part) => values.part === undefined || values.part === part);
  if (parts.length === 0) throw new Error(`--part is one of ${PARTS.join(', ')}.`);
  const needsCorpus = parts.some((part) => part !== 'conversations');
  if (needsCorpus && values.corpus === undefined) throw new Error('--corpus names the CSV of labelled tickets.');
  const corpus = needsCorpus ? divided(values.corpus ?? '') : { learnt: [], kept: [] };
  const learnt = corpus.learnt.slice(0, Number(values.tickets));
  const { kept } = corpus;
  const dataDir = values['data-dir'];
  const services = await startBenchServices(dataDir);
  try {
    await migrate(services.migrateDatabaseUrl);
    const { databaseUrl, redisUrl } = services;
    const token = await workspaceToken(databaseUrl, dataDir, needsCorpus && values.again);
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
    const service = await Child.start(join(projectRoot, 'dist', 'src', 'main.js'), env, '/v1/me', token);
    try {
      const desk = new Desk(service, token);
      const processes = [service.pid, postmasterOf(dataDir)] as const;
      const findings: Finding[] = [];
      if (parts.includes('conversations')) findings.push(...(await conversing(desk, ...processes)));
      const none = new Map<string, string>();
      const names = !needsCorpus ? none : values.again ? await desk.categories() : await desk.import(learnt);
      if (parts.includes('retrieval'))
        findings.push(...(await retrieved(desk, databaseUrl, kept, Number(values.questions), processes)));
      if (parts.includes('models'))
        findings.push(...(await trained(desk, service)), ...(await predicted(desk, kept, names)));
      return report('ai', findings, { learnt: learnt.length, predicted: kept.length, node: process.version });
    } finally {
      await service.stop();
    }
  } finally {
    await services.stop();
  }
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
