import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AutomationsService } from '../../src/areas/automations/automations.service';
import { CreateAutomation } from '../../src/areas/automations/automation.dto';
import { AutomationConsumer } from '../../src/areas/automations/engine/consumer';
import { RunHandler } from '../../src/areas/automations/engine/run.handler';
import { CreateTicket } from '../../src/areas/tickets/ticket.dto';
import { TicketsService } from '../../src/areas/tickets/tickets.service';
import { createApp } from '../../src/app';
import { openSession } from '../../src/cli/session';
import { loadConfig, projectRoot } from '../../src/config';
import { startBenchServices } from './bench-services';
import { Database } from '../../src/platform/database/database';
import type { OutboxEvent } from '../../src/platform/events/event-consumer';
import { ValidationPipe } from '../../src/platform/http/validation-pipe';
import type { Job } from '../../src/platform/queue/job-handler';
import { quantile } from './load';
import { type Finding, milliseconds, report } from './report';
import { migrate } from '../support/migrate';

const SYSTEM = { type: 'system', id: null, name: 'bench' } as const;
const WARM_UP = 50;
/** Of the rules, how many apply to each event. Each that does is a transaction of its own through the rules of tickets: five are for information. */
const APPLYING = [0, 1, 5];

/** From the claim of a run to its end in the database, one event after the other, with many active rules. */
export async function runAutomations(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rules: { type: 'string', default: '100' },
      runs: { type: 'string', default: '400' },
      'data-dir': { type: 'string', default: join(projectRoot, '.data', 'bench') },
    },
  });
  const [rules, runs, dataDir] = [Number(values.rules), Number(values.runs), values['data-dir']];
  const services = await startBenchServices(dataDir);
  try {
    await migrate(services.migrateDatabaseUrl);
    // Role api: nothing but this measurement does the work.
    const config = { ...loadConfig({ PORT: '0', ROLE: 'api', LOG_LEVEL: 'warn', DATA_DIR: dataDir }), ...services };
    const app = await createApp(config);
    try {
      const findings: Finding[] = [];
      for (const applying of APPLYING) {
        const times = await measure(app, await makeWorkspace(services.databaseUrl, dataDir), rules, applying, runs);
        for (const share of [0.5, 0.95]) {
          const value = quantile(times, share);
          findings.push({
            name: `run of ${rules} rules, ${applying} of which apply, p${share * 100} in ms`,
            service: milliseconds(value),
            beside: `${(value / rules).toFixed(3)} ms a rule`,
            value,
            target: share === 0.95 && applying <= 1 ? { most: 25 } : null,
          });
        }
      }
      return report('automations', findings, { rules, runs, node: process.version });
    } finally {
      await app.close();
    }
  } finally {
    await services.stop();
  }
}

function makeWorkspace(databaseUrl: string, dataDir: string): Promise<number> {
  return openSession({ dataDir }, databaseUrl, async ({ provisioning }) => {
    const name = `bench-automations-${Date.now()}`;
    return (await provisioning.createWorkspace({ name, plan: 'enterprise' })).id;
  });
}

/** Milliseconds of each run. */
async function measure(
  app: NestFastifyApplication,
  workspaceId: number,
  rules: number,
  applying: number,
  runs: number,
): Promise<number[]> {
  const database = app.get(Database);
  const within = <T>(work: () => Promise<T>): Promise<T> => database.inWorkspace(workspaceId, SYSTEM, work);
  await within(() => makeRules(app, rules, applying));
  const times: number[] = [];
  for (let run = 0; run < runs + WARM_UP; run++) {
    await within(() => makeTicket(app, run));
    const job = await within(() => runOf(app, workspaceId));
    const took = await within(() => make(app, job));
    if (run >= WARM_UP) times.push(took);
  }
  return times;
}

/** Rules as people write them: a few conditions each, over fields, texts, tags, moments and neighbours. */
async function makeRules(app: NestFastifyApplication, rules: number, applying: number): Promise<void> {
  const [automations, pipe] = [app.get(AutomationsService), app.get(ValidationPipe)];
  for (let rule = 0; rule < rules; rule++) {
    const applies = rule % Math.ceil(rules / Math.max(1, applying)) === 0 && applying > 0;
    const body = {
      name: `Rule ${rule}`,
      trigger: 'ticket.created',
      conditions: {
        all: [
          { field: 'status', operator: 'in', value: ['open', 'in_progress'] },
          { field: 'subject', operator: 'contains', value: applies ? 'printer' : `word ${rule}` },
          { field: 'minutes_since.created_at', operator: 'lt', value: 60 },
        ],
        any: [
          { field: 'tags', operator: 'has_any', value: ['printer', `tag-${rule}`] },
          { field: 'requester.domain', operator: 'eq', value: `customer-${rule}.example` },
          { field: 'description', operator: 'matches', value: `(?i)error [0-9]+ of ${rule}` },
        ],
      },
      actions: [{ type: 'add_tags', tags: [`by-${rule}`] }],
    };
    await automations.create(pipe.validate(body, CreateAutomation));
  }
}

async function makeTicket(app: NestFastifyApplication, serial: number): Promise<void> {
  const body = {
    subject: `The printer on floor ${serial} is jammed`,
    description: 'It says "error 17 of 3" and blinks. '.repeat(20),
    tags: 'printer,floor',
    requester_email: `someone-${serial % 50}@customer.example`,
  };
  await app.get(TicketsService).create(app.get(ValidationPipe).validate(body, CreateTicket));
}

/** The run of the newest event, made as the dispatcher would have it made. */
async function runOf(app: NestFastifyApplication, workspaceId: number): Promise<Job> {
  const database = app.get(Database);
  await database.system(async () => {
    const events = await database.query<OutboxEvent>(
      `SELECT e.id, e.workspace_id, e.uid, e.type, e.object, e.object_id FROM event_outbox o
       JOIN events e ON e.workspace_id = o.workspace_id AND e.id = o.event_id WHERE o.workspace_id = $1 AND e.type = 'ticket.created'`,
      [workspaceId],
    );
    await app.get(AutomationConsumer).consume(events);
    await database.query(`DELETE FROM event_outbox WHERE workspace_id = $1`, [workspaceId]);
  });
  return database.transaction(async () => {
    const [job] = await database.query<Job>(
      `DELETE FROM work WHERE workspace_id = $1 AND kind = 'automation_pass' RETURNING id, workspace_id, kind, subject_id, lane, attempt`,
      [workspaceId],
    );
    if (!job) throw new Error('The event made no run.');
    return job;
  });
}

async function make(app: NestFastifyApplication, job: Job): Promise<number> {
  const [database, handler] = [app.get(Database), app.get(RunHandler)];
  const began = performance.now();
  const { settle } = await handler.perform(job);
  await database.transaction(async () => settle?.());
  return performance.now() - began;
}
