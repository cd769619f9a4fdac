/** Events of one domain: type (`object.what_happened`) to what happened, in one sentence. */
export interface EventDomainSpec {
  /** Several areas may add to one domain; they agree on its label. */
  domain: string;
  label: string;
  /** Singular name of the records that the events are about, where it is not the part before the dot. */
  object?: string;
  events: Readonly<Record<string, string>>;
  /** Other names under which a type may be subscribed to. */
  aliases?: Readonly<Record<string, string>>;
  /** Types that are sent on request only: no subscription includes one unless it names it. */
  onRequest?: readonly string[];
  /** What `data` holds beside the record, by type: members with examples, or `wholeRecord(…)`. */
  beside?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** In place of an example: a record as GET shows it. */
export class WholeRecord {
  constructor(readonly object: string) {}
}

/** @param object singular name, e.g. `ticket_comment` */
export function wholeRecord(object: string): WholeRecord {
  return new WholeRecord(object);
}

/**
 * The three events that every record has.
 *
 * @param object singular name, e.g. `kb_article`
 * @param name as in `An article was created.`
 */
export function changesOf(object: string, name: string): Record<string, string> {
  return {
    [`${object}.created`]: `${name} was created.`,
    [`${object}.updated`]: `${name} was changed; \`changes\` names the fields.`,
    [`${object}.deleted`]: `${name} was deleted; \`data\` holds its last state.`,
  };
}
