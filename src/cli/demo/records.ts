import type { INestApplicationContext } from '@nestjs/common';
import { AssetsService } from '../../areas/assets/assets.service';
import { DealsService } from '../../areas/crm/deals/deals.service';
import { LeadsService } from '../../areas/crm/leads/leads.service';
import { KbArticlesService } from '../../areas/kb/articles/articles.service';
import { MeetingsService } from '../../areas/meetings/meetings.service';
import { QuoteTransitions } from '../../areas/quotes/quote-transitions.service';
import { QuotesService } from '../../areas/quotes/quotes.service';
import { Areas } from '../../platform/area/areas';
import { type Actor, currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { Resource } from '../../platform/resource/resource';
import type { ResourceEntity } from '../../platform/resource/resource-entity';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { Store } from '../../platform/resource/store';
import { addDemoConversations } from './conversations';
import { addDemoDirectory } from './directory';
import { addDemoChannels } from './channels';
import { addDemoExport } from './exports';
import { addDemoBrand } from './brand';
import { addDemoFiles } from './files';
import { addDemoMigrations } from './migrations';
import { addDemoPredictions } from './predictions';
import { addRelations } from './relations';
import { addDemoSettings } from './settings';
import { DEMO_ARTICLES, DEMO_ASSETS, DEMO_DEALS, DEMO_LEADS, DEMO_MEETINGS, DEMO_QUOTE_ITEMS } from './texts';

const DAY_MS = 86_400_000;
const DEMO: Actor = { type: 'system', id: null, name: 'Demo' };

/** Who and what the demo records are about: ids, lowest first. */
interface DemoCast {
  agents: number[];
  companies: { id: number; contact: number | null }[];
  categories: number[];
  stages: number[];
}

/**
 * Fills what tickets leave empty in a new demo workspace, so that every list that somebody opens shows something:
 * articles, assets, leads, deals, quotes and meetings, through the services that requests use. All of it or nothing.
 */
export async function addDemoRecords(app: INestApplicationContext, workspaceId: number): Promise<void> {
  const database = app.get(Database);
  await database.inWorkspace(workspaceId, DEMO, () =>
    database.transaction(async () => {
      const cast = await gather(database, workspaceId);
      await addArticles(app, cast);
      await addAssets(app, cast);
      for (const [index, lead] of DEMO_LEADS.entries()) {
        await app.get(LeadsService).create({ ...lead, owner_id: turn(cast.agents, index) });
      }
      await addQuotes(app, cast, await addDeals(app, cast));
      await addMeetings(app, cast);
      await addDemoFiles(app, workspaceId);
      await addRelations(app, cast.agents);
      await addDemoSettings(app);
      await addDemoBrand(app);
      await addDemoChannels(app);
      await addDeclared(app);
      await addDemoPredictions(app);
      await addDemoConversations(app);
      await addDemoDirectory(app);
      await addDemoExport(app);
      await addDemoMigrations(app);
    }),
  );
}

/** What areas declare, through stores: plug-ins have no place here otherwise. What a demo that begins anew has kept is there. */
async function addDeclared(app: INestApplicationContext): Promise<void> {
  const database = app.get(Database);
  for (const { resource, values } of app.get(Areas).each(({ demo }) => demo)) {
    const text = `SELECT 1 FROM ${resource.table} WHERE workspace_id = $1 AND name = $2`;
    const isKept =
      resource.column.has('name') && (await database.query(text, [currentWorkspaceId(), values.name])).length > 0;
    if (!isKept) await new Store(resource as Resource<ResourceEntity>, app.get(ResourceKernel)).insert(values);
  }
}

async function gather(database: Database, workspaceId: number): Promise<DemoCast> {
  const ids = async (text: string): Promise<number[]> =>
    (await database.query<{ id: number }>(text, [workspaceId])).map(({ id }) => id);
  return {
    agents: await ids(`SELECT id FROM users WHERE workspace_id = $1 AND status = 'active' ORDER BY id LIMIT 6`),
    companies: await database.query(
      `SELECT c.id, (SELECT min(p.id) FROM contacts p WHERE p.workspace_id = $1 AND p.company_id = c.id) AS contact
       FROM companies c WHERE c.workspace_id = $1 ORDER BY c.id LIMIT 6`,
      [workspaceId],
    ),
    categories: await ids(`SELECT id FROM kb_categories WHERE workspace_id = $1 ORDER BY position, id`),
    stages: await ids(
      `SELECT s.id FROM stages s JOIN pipelines p ON p.workspace_id = s.workspace_id AND p.id = s.pipeline_id
       WHERE s.workspace_id = $1 AND p.is_default AND s.type = 'open' ORDER BY s.position`,
    ),
  };
}

async function addArticles(app: INestApplicationContext, { agents, categories }: DemoCast): Promise<void> {
  const originals = new Map<string, number>();
  for (const { category, ...article } of DEMO_ARTICLES) {
    const { translates, ...content } = { translates: '', ...article };
    const { id } = await app.get(KbArticlesService).createKnown({
      status: 'published',
      ...content,
      category_id: categories[category] ?? null,
      author_id: agents[0] ?? null,
      translation_of_id: originals.get(translates) ?? null,
    });
    originals.set(article.title, id);
  }
}

async function addAssets(app: INestApplicationContext, { agents, companies }: DemoCast): Promise<void> {
  for (const { warranty, ...asset } of DEMO_ASSETS) {
    const { holder, ...fields } = { holder: -1, ...asset };
    await app.get(AssetsService).create({
      ...fields,
      assigned_to: agents[holder] ?? null,
      company_id: companies[0]?.id ?? null,
      purchase_date: day(-300),
      warranty_expires_at: day(warranty),
      next_audit_at: day(45),
    });
  }
}

async function addDeals(app: INestApplicationContext, cast: DemoCast): Promise<number[]> {
  const ids: number[] = [];
  for (const [index, { stage, ...deal }] of DEMO_DEALS.entries()) {
    const customer = turn(cast.companies, index);
    const { id } = await app.get(DealsService).createKnown({
      ...deal,
      stage_id: cast.stages[stage],
      company_id: customer?.id ?? null,
      contact_id: customer?.contact ?? null,
      owner_id: turn(cast.agents, index),
      expected_close_date: day(20 + 10 * index),
    });
    ids.push(id);
  }
  return ids;
}

/** One is sent, one still a draft. */
async function addQuotes(app: INestApplicationContext, cast: DemoCast, deals: readonly number[]): Promise<void> {
  const quotes = app.get(QuotesService);
  const ids: number[] = [];
  for (const [index, title] of ['Service desk for 200 people', 'Extended support'].entries()) {
    const customer = turn(cast.companies, index);
    const { id } = await quotes.createKnown({
      title,
      currency: 'EUR',
      company_id: customer?.id ?? null,
      contact_id: customer?.contact ?? null,
      recipient_email: 'purchasing@customer.example',
      deal_id: deals[index] ?? null,
      owner_id: turn(cast.agents, index),
      terms: 'Payable within 30 days.',
      discount: index === 0 ? { type: 'percent', value: 5 } : null,
      items: [...DEMO_QUOTE_ITEMS],
    });
    ids.push(id);
  }
  const [first] = ids;
  if (first !== undefined) await app.get(QuoteTransitions).change(first, { status: 'sent' }, null);
}

/** One is over, one still to be confirmed, one agreed. */
async function addMeetings(app: INestApplicationContext, { agents, companies }: DemoCast): Promise<void> {
  for (const [index, { title, offset, time, status }] of DEMO_MEETINGS.entries()) {
    const host_id = turn(agents, index);
    await app.get(MeetingsService).create({
      title,
      status,
      ...(host_id === null ? {} : { host_id }),
      starts_at: `${day(offset)}T${time}:00.000Z`,
      duration_minutes: 45,
      attendees: [{ email: `guest${index + 1}@customer.example`, name: 'Guest' }],
      company_id: turn(companies, index)?.id ?? null,
      meeting_url: 'https://meet.example/helpdesk',
    });
  }
}

/** The calendar day so many days from now, UTC. */
function day(offset: number): string {
  return new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
}

function turn<T>(list: readonly T[], index: number): T | null {
  return list[index % Math.max(1, list.length)] ?? null;
}
