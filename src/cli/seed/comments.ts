import type { Agent, Requester } from './cast';
import { drawer, type Random } from './random';
import { commentText } from './text';

/** A generated comment; `at` is milliseconds since 1970. */
export interface SeedComment {
  body: string;
  kind: 'reply' | 'answer' | 'note';
  author: { type: 'agent' | 'requester'; id: number; name: string; email: string };
  isFirstResponse: boolean;
  at: number;
}

interface Setting {
  life: { status: string };
  createdAt: number;
  /** Until when comments may have been written: the resolution, the hold, or now. */
  end: number;
  author: Agent | null;
  requester: Requester | null;
}

const countOfOpen = drawer([0, 1], [9, 1]);
const countOfOthers = drawer([0, 1, 2, 3, 4], [76, 9, 7, 5, 3]);

/** The conversation on a ticket, oldest first: the agent answers, the requester replies, agents leave notes in between. */
export function generateComments(random: Random, setting: Setting): SeedComment[] {
  const { life, createdAt, end, author, requester } = setting;
  const count = (life.status === 'open' ? countOfOpen : countOfOthers)(random);
  if (count === 0 || author === null) return [];
  const comments: SeedComment[] = [];
  let at = createdAt;
  let answered = false;
  for (let place = 0; place < count; place++) {
    at = Math.floor(at + (end - at) * random.skewed(0.01, 0.7));
    const mayAnswer: boolean = answered && requester !== null && comments.at(-1)?.kind === 'reply';
    const kind: SeedComment['kind'] =
      mayAnswer && random.chance(0.7) ? 'answer' : random.chance(0.15) ? 'note' : 'reply';
    comments.push({
      body: commentText(random, kind),
      kind,
      author:
        kind === 'answer' && requester
          ? {
              type: 'requester',
              id: requester.id,
              name: requester.name ?? requester.email,
              email: requester.email,
            }
          : { type: 'agent', id: author.id, name: author.name, email: author.email },
      isFirstResponse: kind === 'reply' && !answered,
      at,
    });
    answered ||= kind === 'reply';
  }
  return comments;
}
