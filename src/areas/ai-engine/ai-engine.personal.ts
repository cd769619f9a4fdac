import { type About, ERASED, type PersonalRow, type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';
import { isRecord } from '../../platform/text/json';

/** Whether a row cites a ticket that is the person's; that makes it no record of theirs, which an export would show. */
const citing: About = {
  object: `text 'ticket'`,
  id: `ANY (ARRAY(SELECT (s.value ->> 'id')::bigint FROM jsonb_array_elements(r.sources) AS s WHERE s.value ->> 'type' = 'ticket'))`,
};

/** What cited tickets are called are words of whoever asked; quotes are of those who answered. */
function uncited({ values, about }: PersonalRow): void {
  if (!about[1] || !Array.isArray(values.sources)) return;
  values.sources = values.sources.map((source: unknown) =>
    isRecord(source) && source.type === 'ticket' ? { ...source, title: ERASED } : source,
  );
}

/** An intent is the end of a tag. */
const isOfTags = (task: unknown): boolean => task === 'tags' || task === 'intent';

/** What was predicted of tickets stays; the words that spoke for it were the person's. Models weigh single words of very many texts. */
export const aiEnginePersonal: readonly PersonalTable[] = [
  {
    table: 'ai_settings',
    texts: [...RESOURCE_TEXTS, 'handover', 'tone', 'signature'],
    free: [
      ...['mode', 'thresholds', 'tasks', 'channels', 'languages', 'resolution_window_hours', 'verify', 'sources'],
      ...['provider', 'openai_compatible', 'api_key_sealed', 'redact'],
    ],
  },
  {
    table: 'ai_models',
    texts: [...RESOURCE_TEXTS, 'reason', 'classes'],
    free: ['task', 'status', 'method', 'evaluation'],
  },
  { table: 'ai_model_parts', free: ['content'] },
  // How questions went, never what was said.
  { table: 'ai_calls', free: ['provider', 'model', 'failure', 'prompt_hash'] },
  {
    table: 'ai_conversations',
    own: {
      object: 'ai_conversation',
      of: ({ contact }) =>
        `(r.contact_id = ${contact} OR r.ticket_id IN (SELECT t.id FROM tickets t WHERE t.workspace_id = r.workspace_id AND t.contact_id = ${contact}))`,
      erase: { first_message: ERASED, csat_comment: null },
    },
    about: [{ object: `'ticket'`, id: 'r.ticket_id' }, citing],
    texts: [...RESOURCE_TEXTS, 'first_message', 'reply', 'sources', 'csat_comment'],
    free: ['channel', 'language', 'status', 'resolution_state', 'handover_reason', 'action', 'provider', 'model'],
    rule: uncited,
  },
  {
    table: 'ai_messages',
    about: [{ object: `'ai_conversation'`, id: 'r.conversation_id' }, citing],
    texts: ['body', 'sources'],
    free: ['role', 'action', 'model'],
    also: ['role'],
    rule: (row) => {
      uncited(row);
      if (row.about[0] && row.values.role === 'user') row.values.body = ERASED;
    },
  },
  {
    table: 'ai_predictions',
    about: [{ object: `'ticket'`, id: 'r.ticket_id' }],
    erase: { features: [] },
    texts: [...RESOURCE_TEXTS, 'value', 'label', 'alternatives', 'features', 'actual_value'],
    free: ['task', 'method', 'status', 'abstain_reason', 'input_hash'],
    also: ['task'],
    tagged: ({ task }) => (isOfTags(task) ? ['value', 'label', 'alternatives', 'actual_value'] : []),
    copy: true,
  },
];
