import type { INestApplicationContext } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { AutomationsService } from '../../areas/automations/automations.service';
import { CategoriesService } from '../../areas/categories/categories.service';
import { PipelinesService } from '../../areas/crm/pipelines/pipelines.service';
import { IntegrationsService } from '../../areas/integrations/integrations.service';
import { KbCategoriesService } from '../../areas/kb/categories/kb-categories.service';
import { SchedulesService } from '../../areas/schedules/schedules.service';
import type { SlaTarget } from '../../areas/sla/sla-targets';
import { SlaPoliciesService } from '../../areas/sla/sla-policies.service';
import { teamResource } from '../../areas/teams/team.resource';
import { UsersService } from '../../areas/users/users.service';
import { WebhooksService } from '../../areas/webhooks/webhooks.service';
import type { DayInterval } from '../../platform/calendar/schedule';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { Store } from '../../platform/resource/store';

/** An endpoint that hears of what hardly ever happens: nobody answers at its address. */
const WATCHED = 'token.created';

const NADIA = {
  name: 'Nadia Stein',
  email: 'nadia.stein@support.example.com',
  role: 'light_agent',
  title: 'Purchasing',
} as const;

const OFFICE: readonly DayInterval[] = [
  ['09:00', '12:30'],
  ['13:30', '18:00'],
];

const secret = (): string => randomBytes(24).toString('base64url');

const minutes = (first: number, solution: number): SlaTarget => ({
  first_response_minutes: first,
  resolution_minutes: solution,
});

/**
 * Adds what an administrator sets up, of each kind one that nothing depends on yet: it can be looked at, tried and
 * deleted. The examples of the OpenAPI document name these records. Inside a unit of work of the workspace.
 */
export async function addDemoSettings(app: INestApplicationContext): Promise<void> {
  await addPeople(app);
  await app.get(CategoriesService).create({ name: 'Travel expenses', icon: 'plane', required_skills: ['billing'] });
  await app.get(KbCategoriesService).create({ name: 'Announcements', language: 'en' });
  await app.get(SchedulesService).create({
    name: 'Headquarters',
    timezone: 'Europe/Berlin',
    weekly: { mon: OFFICE, tue: OFFICE, wed: OFFICE, thu: OFFICE, fri: [['09:00', '16:00']] },
    holidays: [
      { date: '2026-01-01', name: 'New Year’s Day', recurring: true },
      { date: '2026-05-01', name: 'May Day', recurring: true },
      { date: '2026-12-25', name: 'Christmas Day', recurring: true },
    ],
  });
  await app.get(SchedulesService).create({
    name: 'Weekend',
    timezone: 'Europe/Berlin',
    weekly: { sat: [['10:00', '14:00']], sun: [['10:00', '14:00']] },
  });
  await app.get(SlaPoliciesService).create({
    name: 'Platinum customers',
    conditions: { all: [{ field: 'company.tier', operator: 'eq', value: 'platinum' }] },
    targets: { urgent: minutes(15, 120), high: minutes(30, 240), medium: minutes(120, 480), low: minutes(240, 1_440) },
  });
  await app.get(PipelinesService).create({
    name: 'Partners',
    stages: [
      { name: 'First talk', probability: 20 },
      { name: 'Terms agreed', probability: 70 },
    ],
  });
  await app.get(AutomationsService).create({
    name: 'Mark what comes back',
    trigger: { event: 'ticket.reopened' },
    actions: [{ type: 'add_tags', tags: 'reopened' }],
  });
  await app.get(IntegrationsService).create({
    provider: 'webhook',
    name: 'Status board',
    status: 'disabled',
    config: { url: 'https://status.example/hooks/helpdesk', secret: secret() },
    events: ['ticket.escalated'],
  });
  await addWebhook(app);
}

/** People stay when a demo begins anew, and so may these. */
async function addPeople(app: INestApplicationContext): Promise<void> {
  const [known] = await app
    .get(Database)
    .query(`SELECT 1 FROM users WHERE workspace_id = $1 AND email = $2`, [currentWorkspaceId(), NADIA.email]);
  if (known) return;
  await app.get(UsersService).create(NADIA);
  await new Store(teamResource, app.get(ResourceKernel)).insert({
    name: 'Night shift',
    assignment: { method: 'round_robin', max_open_per_agent: 20, unassigned_after_minutes: 30 },
  });
}

/** The endpoint has heard of the first token, if the log knows one. */
async function addWebhook(app: INestApplicationContext): Promise<void> {
  const { id } = await app.get(WebhooksService).createKnown(
    {
      url: 'https://siem.example/hooks/helpdesk',
      description: 'Security monitoring',
      events: [WATCHED, 'token.revoked'],
    },
    secret(),
  );
  await app.get(Database).query(
    `INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_row, event_id, event, status, attempt, attempts,
       response_status, response_body, duration_ms)
     SELECT workspace_id, $2, id, uid, type, 'succeeded', 1, jsonb_build_array(jsonb_build_object(
       'n', 1, 'at', created_at, 'trigger', 'scheduled', 'response_status', 200, 'duration_ms', 84, 'error', NULL)),
       200, 'OK', 84
     FROM events WHERE workspace_id = $1 AND type = $3 ORDER BY id LIMIT 1`,
    [currentWorkspaceId(), id, WATCHED],
  );
}
