import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { installed } from '../support/areas';

const PLATFORM = join(process.cwd(), 'src', 'platform');

/** Words of areas that mean something else in the platform, or that it has to say; by file, or everywhere (`*`). */
const REASONS: Readonly<Record<string, readonly [words: readonly string[], reason: string]>> = {
  '*': [
    [
      ...['event', 'events', 'meta', 'schedule', 'schedules', 'search', 'user', 'users', 'workspace', 'workspaces'],
      ...['responses', 'role', 'roles', 'sandbox', 'view', 'views', 'exports', 'migration', 'channel', 'channels'],
      ...['fields', 'custom_fields'],
    ],
    'the platform has events, searches, callers and what they may, workspaces and sandboxes, working time, answers and views of SQL itself; records have fields, and custom ones; modules have exports, databases migrations',
  ],
  'area/provider.ts': [
    ['crm', 'category', 'categories', 'quote', 'webhook'],
    'what a provider is, and what a message says',
  ],
  'conditions/template.ts': [['ticket'], 'an example in a message'],
  'context/causation.ts': [['automation'], 'who acts, and what a chain of causes counts'],
  'context/access.ts': [['ticket', 'team', 'teams'], 'what the record of a user says of what they see'],
  'context/demand.ts': [['ticket'], 'what the record of a user says of what they see'],
  'context/principal.ts': [['ticket', 'team'], 'what the record of a user says of what they see'],
  'context/actor.ts': [['automation'], 'who acts'],
  'events/event-rows.ts': [['automation'], 'what a chain of causes counts'],
  'http/envelope.interceptor.ts': [['attachment'], 'a word of Content-Disposition'],
  'http/upload/name-in-header.ts': [['attachment'], 'a word of Content-Disposition'],
  'http/download/stored-file.ts': [['attachment'], 'a word of Content-Disposition'],
  'http/table/table-answers.ts': [['attachment'], 'a word of Content-Disposition'],
  'http/docs/assets.ts': [['asset', 'assets'], 'files of a page'],
  'http/docs/documentation.ts': [['asset', 'assets'], 'files of a page'],
  'http/docs/home-page.ts': [['asset', 'assets', 'tickets'], 'files of a page, and the first request to try'],
  'http/docs/page-files.ts': [['asset', 'assets'], 'files of a page'],
  'http/openapi.ts': [['webhooks'], 'member of OpenAPI'],
  'idempotency/single-flight.ts': [['lead'], 'the one that goes first'],
  'mail/mail-addresses.ts': [['ticket'], 'a column of `mail_messages`'],
  'mail/mail-attachment.ts': [['attachment'], 'a file of a mail'],
  'mail/mail-files.ts': [['attachment', 'attachments'], 'files of a mail'],
  'mail/mail-deliverer.ts': [
    ['integration', 'attachment', 'attachments'],
    'the message that says what to set up; files of a mail',
  ],
  'mail/mailer.ts': [
    ['ticket', 'attachment', 'attachments'],
    'a column of `outgoing_mails` and `mail_messages`; files of a mail',
  ],
  'mail/smtp-client.ts': [['webhook', 'attachments'], 'a setting of the operator; files of a mail'],
  'openapi/document.ts': [['webhooks'], 'member of OpenAPI'],
  'openapi/event-sample.ts': [['automation'], 'what a chain of causes counts'],
  'openapi/event-schemas.ts': [['automation', 'webhooks', 'kb'], 'member and tag of OpenAPI; 256 KB'],
  'openapi/finish.ts': [['webhooks'], 'member of OpenAPI'],
  'openapi/write-schemas.ts': [['webhooks'], 'member of OpenAPI'],
  'outbound/outbound.ts': [['webhook'], 'a setting of the operator'],
  'outbound/signature.ts': [['webhook'], 'headers of Standard Webhooks'],
  'sandbox/sandbox-tables.ts': [['quote'], 'a function of PostgreSQL, which quotes names'],
  'platform.module.ts': [['privacy', 'erasure'], 'erasing and telling what is kept of people, whoever keeps it'],
  'area/personal.ts': [['contact', 'export'], 'whom records belong to, and what is told of them'],
  'area/platform-personal.ts': [
    ['ticket', 'attachments', 'export'],
    'columns of `outgoing_mails` and `mail_messages`; what is told of a table',
  ],
  'idempotency/answer-erasure.ts': [['privacy', 'erasure'], 'a folder of the platform; what it does'],
  'privacy/belongings.ts': [['contact', 'export'], 'whom records belong to, and what is told of them'],
  'privacy/eraser.ts': [['stage', 'stages', 'erasure'], 'what a pass goes through'],
  'privacy/person.ts': [['contact', 'erasure'], 'who is erased, and the job that does it'],
  'privacy/privacy.module.ts': [['privacy'], 'a folder of the platform'],
  'privacy/sweep-sql.ts': [['contact', 'erasure'], 'who is erased, and the job that does it'],
  'privacy/sweeper.ts': [['contact', 'erasure'], 'who is erased, and the job that does it'],
  'resource/read/sight.ts': [['team', 'teams'], 'what stands for the teams of the caller'],
  'outbound/target-url.ts': [['lead'], 'where a URL leads'],
};

/** What areas are called, and their records and tables, as single words or in snake case. */
function wordsOfAreas(): Set<string> {
  const areas = installed.all.filter(({ name }) => name !== 'platform');
  const resources = areas.flatMap(({ resources: own }) => own ?? []);
  return new Set([
    ...areas.map(({ name }) => name),
    ...resources.flatMap(({ name, singular, table }) => [name, singular, table]),
  ]);
}

/** Words of a file's code: identifiers, taken apart, and texts; comments left out. */
function wordsOf(file: string): Set<string> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found = new Set<string>();
  const add = (text: string): void => {
    for (const [whole] of text.matchAll(/[A-Za-z]\w*/g)) {
      found.add(whole);
      for (const part of whole.split(/_|(?<=[a-z\d])(?=[A-Z])/)) found.add(part.toLowerCase());
    }
  };
  const visit = (node: ts.Node): void => {
    if (
      ts.isIdentifier(node) ||
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    )
      add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it('names no area, none of their records and none of their tables', () => {
  const words = wordsOfAreas();
  const files = readdirSync(PLATFORM, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const said = files.flatMap((file) => {
    const allowed = [REASONS['*'], REASONS[file]].flatMap((each) => each?.[0] ?? []);
    return [...wordsOf(join(PLATFORM, file))]
      .filter((word) => words.has(word) && !allowed.includes(word))
      .map((word) => `${file}: ${word}`);
  });
  expect(said).toEqual([]);
  expect(Object.keys(REASONS).filter((file) => file !== '*' && !files.includes(file))).toEqual([]);
});
