import { ClockRun, DONE } from './clock-run';
import type { Applied, Created, Fact, SlaState, Terms } from './clock-types';

/** A new ticket with its clocks: product reference 3.4 and 3.5. A ticket that is created resolved has met everything. */
export function openState(terms: Terms | null, created: Created): Applied {
  const { at, status, priority, channel, imported_at = null } = created;
  const run = new ClockRun(
    { clocks: [], terms, status, priority, channel, created_at: at, first_response_at: null },
    at,
  );
  run.openFirst('created');
  if (channel === 'phone') run.fulfil(['first_response'], 'created');
  if (DONE.has(status)) run.fulfil(['first_response', 'resolution'], 'created');
  if (imported_at !== null) run.forgive(imported_at);
  return run.applied();
}

/**
 * What a fact makes of a ticket's clocks. Facts come in the order in which they happened; what time alone did before them
 * is noted first, so that a late worker changes nothing but when something is noticed. Everything beyond `state` is in the fact.
 */
export function applyFact(state: SlaState, fact: Fact): Applied {
  const run = new ClockRun(state, fact.at);
  if (fact.type === 'cancelled') {
    run.elapse(false);
    run.cancel();
    return run.applied();
  }
  run.elapse(!fulfils(state, fact));
  if (fact.type === 'status') run.enter(fact.to);
  else if (fact.type === 'priority') run.prioritise(fact.priority);
  else if (fact.type === 'terms') run.adopt(fact.terms);
  else if (fact.type === 'comment' && !fact.is_internal) {
    if (fact.author === 'requester') run.asked();
    else if (answers(state.terms, fact.author)) run.answered();
  }
  return run.applied();
}

/** Whether the fact may fulfil clocks: exactly at the due moment it still does, while anything else comes too late. */
function fulfils(state: SlaState, fact: Fact): boolean {
  if (fact.type === 'status') return DONE.has(fact.to);
  return fact.type === 'comment' && !fact.is_internal && answers(state.terms, fact.author);
}

function answers(terms: Terms | null, author: string): boolean {
  if (author === 'ai' || author === 'automation') return terms?.ai_counts_as_response ?? false;
  return author === 'agent';
}
