import { groupStatement } from '../../src/areas/search/group-statement';
import { ticketSearch } from '../../src/areas/tickets/ticket-search';
import { ticketWords } from '../../src/areas/tickets/ticket-words';
import type { FoundHits } from '../../src/platform/area/search-group';
import { commonWords } from '../../src/platform/search/bits/common-words';
import { termsOf } from '../../src/platform/search/terms';
import type { Folded } from './folded';

/** What `GET /search` finds by bits, and what the index of words does. */
export async function bothWays(
  folded: Folded,
  workspaceId: number,
  text: string,
): Promise<[FoundHits | undefined, FoundHits | undefined]> {
  const common = await folded.within(workspaceId, () => commonWords(folded.database, ticketWords, workspaceId));
  const rows = (known: ReadonlySet<string>): Promise<FoundHits[]> =>
    folded.within(workspaceId, () =>
      folded.database.read(groupStatement(ticketSearch, text, termsOf(text), workspaceId, known)),
    );
  const [[ours], [theirs]] = [await rows(common), await rows(new Set())];
  delete ours?.guesses;
  return [ours, theirs];
}
