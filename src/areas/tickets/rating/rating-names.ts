/** What the scores are called, worst first. */
export const SCORE_NAMES: readonly { score: number; name: string }[] = [
  { score: 1, name: 'Very bad' },
  { score: 2, name: 'Bad' },
  { score: 3, name: 'Neither good nor bad' },
  { score: 4, name: 'Good' },
  { score: 5, name: 'Very good' },
];
