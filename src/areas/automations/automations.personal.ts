import { eventById } from '../../platform/area/personal-copies';
import { type PersonalRow, type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';
import { isRecord } from '../../platform/text/json';

/** Rules are about nobody; their log tells what they found and wrote. */
export const automationsPersonal: readonly PersonalTable[] = [
  {
    table: 'automations',
    texts: [
      ...RESOURCE_TEXTS,
      'name',
      'description',
      'trigger',
      'conditions',
      'actions',
      'last_error',
      'suspended_reason',
    ],
  },
  { table: 'automation_passes', free: ['event', 'object', 'root_event_id'] },
  {
    table: 'automation_runs',
    about: [{ object: 'r.object', id: 'r.object_id' }],
    texts: ['automation_name', 'reason', 'conditions', 'actions'],
    free: ['object', 'event', 'event_id', 'root_event_id', 'status'],
    also: ['object'],
    rule: found,
    copy: true,
    log: { holder: `CASE WHEN r.object = 'ticket' THEN r.object_id END` },
  },
  {
    table: 'automation_effects',
    about: [{ object: 'r.object', id: 'r.object_id' }, eventById('r.event_id')],
    // What waits is made anew of what is there by then.
    erase: { prepared: null },
    texts: ['automation_name', 'payload', 'prepared', 'causation'],
    free: ['event', 'object'],
    copy: true,
  },
];

/** That a rule looked and acted stays, and the numbers; what it read and wrote of the person does not. */
function found({ values, about, losses }: PersonalRow): void {
  const lost = losses(String(values.object));
  if (!about[0] || Object.keys(lost).length === 0) return;
  if (Array.isArray(values.conditions)) {
    values.conditions = values.conditions.map((entry: unknown) =>
      isRecord(entry) && typeof entry.actual === 'string' ? { ...entry, actual: null } : entry,
    );
  }
  if (!Array.isArray(values.actions)) return;
  values.actions = values.actions.map((action: unknown) =>
    isRecord(action)
      ? { ...action, before: withoutTexts(action.before, lost), after: withoutTexts(action.after, lost) }
      : action,
  );
}

/** Members that the record loses, and what was rendered of them; values of closed lists are among the texts that stay. */
function withoutTexts(shown: unknown, lost: object): unknown {
  if (!isRecord(shown)) return shown;
  const isRendered = (name: string, value: unknown): boolean =>
    name in lost ||
    ['subject', 'body', 'text', 'html', 'to', 'cc', 'url', 'comment', 'message'].includes(name) ||
    Array.isArray(value);
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, isRendered(name, value) && hasText(value) ? null : value]),
  );
}

const hasText = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.some((item) => typeof item === 'string'));
