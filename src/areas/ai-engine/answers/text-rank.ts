import { similarity, vectorOf } from '../predictions/similarity';

const DAMPING = 0.85;
const ROUNDS = 20;

/**
 * How central each sentence is: by how much the others are like it, and those by how central they are themselves (TextRank,
 * Mihalcea and Tarau 2004). Takes the square of their number.
 */
export function centralities(sentences: readonly string[]): number[] {
  const vectors = sentences.map(vectorOf);
  const likeness = vectors.map((one, at) => vectors.map((other, to) => (at === to ? 0 : similarity(one, other))));
  const sums = likeness.map((row) => row.reduce((sum, value) => sum + value, 0));
  let ranks = sentences.map(() => 1);
  for (let round = 0; round < ROUNDS; round++)
    ranks = ranks.map((_, at) => {
      const given = ranks.reduce((sum, rank, from) => {
        const out = sums[from] ?? 0;
        return out === 0 ? sum : sum + (rank * (likeness[from]?.[at] ?? 0)) / out;
      }, 0);
      return 1 - DAMPING + DAMPING * given;
    });
  return ranks;
}
