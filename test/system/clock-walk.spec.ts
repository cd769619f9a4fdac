import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { useSql } from '../support/sql';

const sql = useSql();

/** What areas date by the real clock, and why. */
const REAL: Readonly<Record<string, string>> = {
  'attachments/upkeep/attachment-upkeep.ts': 'the store of files is of the world',
  'channels/adapters/api-channel.ts': 'receivers compare the time of a signature with theirs',
  'channels/inbound/signed-inbound.ts': 'senders sign by the time of the world',
  'channels/webchat/visitor-sessions.ts': 'sites sign by the time of the world',
  'exports/export-upkeep.ts': 'the store of files is of the world',
  'migration/migration-upkeep.ts': 'the store of files is of the world',
  'migration/services/file-fetcher.ts': 'servers say by the time of the world when they are to be asked again',
  'migration/services/service-client.ts': 'services say by the time of the world when they are to be asked again',
  'migration/services/sources/jira.ts': 'what has changed is asked for by minutes ago',
  'migration/services/watermarks.ts': 'services date changes by the time of the world',
  'integrations/senders.ts': 'receivers compare the time of a signature with theirs',
  'privacy/erasures.service.ts': 'what is erased was dated by either clock',
  'tickets/viewing/viewing.service.ts': 'who looks on is there in the world',
  'webhooks/webhook-sender.ts': 'receivers compare the time of a signature with theirs',
  'automations/engine/actions/webhook.action.ts': 'receivers compare the time of a signature with theirs',
  'meta/me.controller.ts': 'quotas and tokens go by the month and the days of the world',
  'meta/health.controller.ts': 'belongs to no workspace',
};

/** Work that repeats and is not run by the clock of a sandbox, and why. */
const NOT_BY_CLOCK: Readonly<Record<string, string>> = {
  'attachments-compare': 'the store of files is of the world',
  'attachments-unattached': 'retention',
  'attachments-waste': 'no time in it',
  'automation-run-pruning': 'retention',
  'exports-compare': 'the store of files is of the world',
  'fold-counters': 'no time in it',
  'fold-stats': 'no time in it',
  'fold-words': 'no time in it',
  'migrations-compare': 'the store of files is of the world',
  'migrations-forget': 'retention',
  'keep-sandboxes': 'what runs the others',
  'plan-mail-polls': 'mailboxes are of the world',
  'prune idempotency keys': 'retention; whether a key still holds, its claim asks',
  'prune-audit-logs': 'retention',
  'prune-bulk-jobs': 'retention',
  'prune-dead-jobs': 'retention',
  'prune-integration-logs': 'retention',
  'prune-outgoing-mails': 'retention',
  'prune-webhook-deliveries': 'retention',
  'quota-events': 'quotas are of the world',
  'search-words': 'no time in it that anybody sees',
  'drift-of-ai-models': 'training is of the world',
  'train-ai-models': 'training is of the world',
};

/** Tables of workspaces whose defaults are the real time: accounts, and the queue, which compares by the real clock. */
const REAL_DEFAULTS = [
  'apps',
  'idempotency_keys',
  'quota_usage',
  'sandboxes',
  'subscriptions',
  'tokens',
  'work',
  'workspaces',
];

function sources(folder: string): { file: string; text: string }[] {
  const root = join(process.cwd(), 'src', folder);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({
      file: relative(root, join(root, file)).split(sep).join('/'),
      text: readFileSync(join(root, file), 'utf8'),
    }));
}

it('areas ask the time of the clock of the workspace alone', () => {
  const asking = sources('areas').filter(({ text }) =>
    /\bDate\.now\(|\bnew Date\(\)|\bDateTime\.(now|utc|local)\(\)|performance\.timeOrigin/.test(text),
  );
  expect(asking.map(({ file }) => file).sort()).toEqual(Object.keys(REAL).sort());
});

it('their SQL says now() or clock_timestamp(), which can be told another time, and no keyword, which cannot', () => {
  const words =
    /\b(current_date|current_time|current_timestamp|localtime|localtimestamp|transaction_timestamp|statement_timestamp|timeofday)\b|pg_catalog\.now/i;
  const stubborn = sources('areas').filter(({ text }) => words.test(text));
  expect(stubborn.map(({ file }) => file)).toEqual([]);
});

it('work that repeats goes by the clock of a sandbox, too, or says why not', () => {
  const texts = [...sources('areas'), ...sources('platform')].map(({ text }) => text);
  const found = texts.flatMap((text) => [...text.matchAll(/jobs\.register\(('[^']+'|NAME), [^;]*;/g)]);
  const named = found.map(([call, name = '']) => ({
    name: name === 'NAME' ? 'keep-sandboxes' : name.slice(1, -1),
    call,
  }));
  expect(named.length).toBeGreaterThan(15);
  const others = named.filter(({ call }) => !call.includes('byClock: true')).map(({ name }) => name);
  expect(others.filter((name) => !(name in NOT_BY_CLOCK))).toEqual([]);
  expect(named.length - others.length).toBeGreaterThan(5);
});

it('what tables of workspaces say of themselves by default goes by the clock of the workspace', async () => {
  const rows = await sql.rows<{ name: string }>(
    `SELECT DISTINCT c.relname AS name FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid AND c.relnamespace = 'public'::regnamespace
     WHERE pg_get_expr(d.adbin, d.adrelid) ~ '(^|[^.])\\m(now|clock_timestamp)\\(\\)|CURRENT_' AND EXISTS (
       SELECT FROM pg_attribute w WHERE w.attrelid = c.oid AND w.attname = 'workspace_id' AND NOT w.attisdropped)`,
  );
  expect(rows.map(({ name }) => name).filter((name) => !REAL_DEFAULTS.includes(name))).toEqual([]);
  const following = await sql.rows(`SELECT 1 FROM pg_attrdef WHERE pg_get_expr(adbin, adrelid) ~ 'workspace_clock'`);
  expect(following.length).toBeGreaterThan(40);
});

it('no function behind tables tells a time of its own', async () => {
  const rows = await sql.rows<{ name: string }>(
    `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace
       AND prosrc ~* '\\m(now|clock_timestamp)\\(\\)|\\mcurrent_(date|timestamp)' ORDER BY 1`,
  );
  // Tokens and quotas are of the world; a job of a sandbox that is due by its clock is due by the queue's.
  expect(rows.map(({ name }) => name)).toEqual(['auth_lookup', 'settle_quota', 'work_is_due_later']);
});
