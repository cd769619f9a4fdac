import { eachWord } from '../../../platform/search/words';
import { firstCharacters } from '../../../platform/text/normalise';
import { tellingWords } from '../language/stop-words';
import { similarity, vectorOf, type WordVector } from '../predictions/similarity';

/** Something that was asked, and nothing was found for. */
export interface OpenQuestion {
  conversation_id: number;
  body: string;
  /** ISO 8601. */
  asked_at: string;
  /** Share of it that the best source said; null without one. */
  score: number | null;
}

/** Questions about the same, told by the one that the others are most like. */
export interface QuestionGroup {
  question: string;
  count: number;
  best_score: number | null;
  first_asked_at: string;
  last_asked_at: string;
  /** The newest first. */
  conversation_ids: number[];
}

/** From so similar on, two questions are about the same. */
const ALIKE = 0.5;
const MOST_CHARACTERS = 500;
const MOST_WORDS = 40;
const MOST_CONVERSATIONS = 10;

/**
 * Questions in groups: each joins the group whose first question it is most like, or begins one. The largest groups first, then those
 * that were asked last. Takes their number times that of the groups.
 *
 * @param questions the newest first
 */
export function groupQuestions(questions: readonly OpenQuestion[]): QuestionGroup[] {
  const groups: { members: OpenQuestion[]; vectors: WordVector[] }[] = [];
  for (const question of questions) {
    const vector = aboutOf(question.body);
    let best: { group: (typeof groups)[number]; likeness: number } | null = null;
    for (const group of groups) {
      const likeness = group.vectors[0] ? similarity(group.vectors[0], vector) : 0;
      if (likeness >= ALIKE && likeness > (best?.likeness ?? 0)) best = { group, likeness };
    }
    if (best) {
      best.group.members.push(question);
      best.group.vectors.push(vector);
    } else groups.push({ members: [question], vectors: [vector] });
  }
  return groups
    .map(({ members, vectors }) => told(members, vectors))
    .sort((one, other) => other.count - one.count || (one.last_asked_at < other.last_asked_at ? 1 : -1));
}

/** What a question is about: the words that tell. */
function aboutOf(body: string): WordVector {
  const words = [...eachWord(body.slice(0, MOST_CHARACTERS))].map(({ text }) => text);
  return vectorOf(tellingWords(words, MOST_WORDS).join(' '));
}

function told(members: readonly OpenQuestion[], vectors: readonly WordVector[]): QuestionGroup {
  const central = vectors.map((one) => vectors.reduce((sum, other) => sum + similarity(one, other), 0));
  const most = central.indexOf(Math.max(...central));
  const times = members.map(({ asked_at }) => asked_at).sort();
  const scores = members.flatMap(({ score }) => (score === null ? [] : [score]));
  const ids = [...new Set(members.map(({ conversation_id: id }) => id))];
  return {
    question: firstCharacters(members[most]?.body ?? '', MOST_CHARACTERS),
    count: members.length,
    best_score: scores.length > 0 ? Math.max(...scores) : null,
    first_asked_at: times[0] ?? '',
    last_asked_at: times.at(-1) ?? '',
    conversation_ids: ids.slice(0, MOST_CONVERSATIONS),
  };
}
