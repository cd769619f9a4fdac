/** Answers whose best source had about the same score, and what became of those that somebody judged. */
export interface JudgedAnswers {
  /** Tenth of the score, 0 to 9. */
  tenth: number;
  n: number;
  helpful: number;
}

/** As if so many of each tenth had been judged already, and as many were helpful as the score says. */
const BEFORE = 20;

/**
 * How likely an answer with this score is one that helps: what became of answers with such a score that were judged, the score itself
 * as long as there are few. More of what is asked is never less sure (pool adjacent violators).
 *
 * @param score share of what is asked that the best source says, 0 to 1
 */
export function confidenceOf(score: number, judged: readonly JudgedAnswers[]): number {
  const pools: { from: number; weight: number; sum: number }[] = [];
  for (let tenth = 0; tenth < 10; tenth++) {
    const { n, helpful } = judged.find((each) => each.tenth === tenth) ?? { n: 0, helpful: 0 };
    let pool = { from: tenth, weight: BEFORE + n, sum: (BEFORE * (tenth + 0.5)) / 10 + helpful };
    for (let last = pools.at(-1); last && last.sum / last.weight > pool.sum / pool.weight; last = pools.at(-1)) {
      pools.pop();
      pool = { from: last.from, weight: last.weight + pool.weight, sum: last.sum + pool.sum };
    }
    pools.push(pool);
  }
  const own = pools.findLast(({ from }) => from <= Math.min(9, Math.floor(score * 10)));
  return own ? Math.round((own.sum / own.weight) * 10_000) / 10_000 : 0;
}
