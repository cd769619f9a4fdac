import { collected } from '../../platform/area/collected';
import { MOST_HITS } from '../../platform/area/search-group';
import { invalid } from '../../platform/errors/api-error';
import { NumberParameter, QueryParameter } from '../../platform/query/members';
import { items } from '../../platform/query/values';
import { termsOf } from '../../platform/search/terms';
import { characters } from '../../platform/search/words';

/** Names of what is searched, in the order of the answer. */
export const searchTypes = collected(({ search }) => search?.map(({ type }) => type));

export const DEFAULT_LIMIT = 5;
export const MAX_LIMIT = MOST_HITS;
const MIN_LENGTH = 2;
export const MAX_LENGTH = 255;
/** Further terms are left out: each costs a look into the index. */
export const MAX_SEARCHED = 12;

const TYPES = { type: 'array', minItems: 1, items: { type: 'string', enum: searchTypes } };

/** A validated search. */
export interface SearchRequest {
  /** Trimmed, as the client wrote it. */
  text: string;
  limit: number;
  types: readonly string[];
}

/** Parameters of `GET /search`. */
export class SearchQuery {
  @QueryParameter({ description: 'Groups to search; all of them unless given.' }, TYPES, typesOf)
  types?: readonly string[];

  @NumberParameter({ description: 'Hits per group.', min: 1, max: MAX_LIMIT, default: DEFAULT_LIMIT })
  limit?: number;

  /** Trimmed, as the client wrote it. */
  @QueryParameter(
    { description: 'What to look for; one letter or digit at least.', required: true },
    { type: 'string', minLength: MIN_LENGTH, maxLength: MAX_LENGTH },
    searchText,
  )
  q: string;
}

function searchText(raw: string, name: string): string {
  const text = raw.trim();
  const { length } = characters(text);
  if (length < MIN_LENGTH) {
    invalid(name, 'min', `"${name}" must have at least ${MIN_LENGTH} characters.`, { min: MIN_LENGTH });
  }
  if (length > MAX_LENGTH)
    invalid(name, 'max', `"${name}" must have at most ${MAX_LENGTH} characters.`, { max: MAX_LENGTH });
  if (termsOf(text).length === 0) invalid(name, 'min', `"${name}" must have at least one letter or digit.`);
  return text;
}

function typesOf(raw: string, name: string): readonly string[] {
  const wanted = items(raw);
  const known = searchTypes.filter((type) => wanted.includes(type));
  if (!wanted.every((type) => known.some((each) => each === type))) {
    invalid(name, 'enum', `"${name}" takes ${searchTypes.join(', ')}, comma-separated.`, { allowed: searchTypes });
  }
  return known;
}
