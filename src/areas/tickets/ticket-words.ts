import type { WordBits } from '../../platform/search/bits/word-bits';
import { TICKET_PRIORITIES, TICKET_STATUSES } from './ticket-values';

/** What the common words of tickets are found by, in large workspaces. */
export const ticketWords: WordBits = {
  table: 'tickets',
  texts: 'ticket_texts',
  folds: 'ticket_word_folds',
  words: 'ticket_common_words',
  bits: 'ticket_word_bits',
  spans: 'ticket_word_spans',
  unfolded: 'ticket_unfolded',
  asked: 'ticket_asked_phrases',
  facets: { status: TICKET_STATUSES, priority: TICKET_PRIORITIES },
};
