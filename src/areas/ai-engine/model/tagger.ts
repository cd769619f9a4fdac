import { type Classifier, MOST_CLASSES_WITH_CHARACTERS, MOST_WEIGHTS, SVM } from './classifier';
import type { Evaluation } from './evaluation';
import { heldOutLast, PARTS } from './held-out';
import { type LinearModel, linearScores, type Signs, trainSvm } from './linear-svm';
import { chance, cutOf, type Line, lineOf, NEVER, type Scored } from './platt';
import { type SeenText, seenText } from './seen-text';
import type { SparseRows } from './sparse';
import { evaluateTags, type JudgedText } from './tag-evaluation';
import { countFeatures, learnVocabulary, type Vocabulary, weigh } from './tf-idf';

/** Texts with the tags of each. */
export interface TaggedTexts {
  texts: readonly string[];
  /** Places of its tags among the classes. */
  tags: readonly (readonly number[])[];
  classes: readonly string[];
}

/** A tag, how likely it is, and from which probability on it is said. */
export interface LikelyTag {
  value: string;
  confidence: number;
  least: number;
}

/** How the score of a tag becomes a probability, and from where on it is said. */
interface Rule extends Line {
  least: number;
}

/**
 * Learns which tags texts have: of each tag a linear model against all texts without it (one against the rest). A fifth of the texts is
 * held out as for other models; on it each tag gets what makes probabilities of its scores (Platt) and the probability from which on
 * enough of those were right. In a thread only.
 *
 * @param right share of those said that must be right, of each tag
 */
export function trainTagger(
  { texts: given, tags: of, classes }: TaggedTexts,
  right: number,
): { classifier: Classifier; evaluation: Evaluation } {
  const { order, kept } = heldOutLast(given);
  const tags = order.map((at) => of[at] ?? []);
  const kinds = { characters: classes.length <= MOST_CLASSES_WITH_CHARACTERS };
  const counts = countFeatures(
    order.map((at) => given[at] ?? ''),
    kinds,
  );
  const signs = signsOfTags(tags, classes.length);
  const early = made(counts, signs.subarray(0, kept * classes.length), classes.length);
  const held = tags.slice(kept);
  const scores = scoresOf(early, counts, kept, tags.length);
  const evaluation = evaluateTags(judge(scores, held, classes.length, right), classes.length, right);
  const rules = rulesOf(scores, held, [...held.keys()], classes.length, right);
  const all = made(counts, signs, classes.length);
  const least = rules.map((rule) => rule.least);
  const classifier = {
    classes,
    kinds,
    vocabulary: all.vocabulary,
    model: calibrated(all.model, rules),
    latent: [],
    least,
  };
  return { classifier, evaluation };
}

/** How likely each tag is, the likeliest first. */
export function likelyTags(
  { classes, kinds, vocabulary, model, least }: Classifier,
  text: string | SeenText,
): LikelyTag[] {
  const scores = new Float32Array(classes.length);
  linearScores(model, seenText(text).rows(kinds, vocabulary), 0, scores);
  return classes
    .map((value, at) => ({ value, confidence: chance(scores[at] ?? 0), least: least?.[at] ?? NEVER }))
    .sort((one, other) => other.confidence - one.confidence);
}

function signsOfTags(tags: readonly (readonly number[])[], classes: number): Signs {
  const signs = new Int8Array(tags.length * classes).fill(-1);
  for (const [row, own] of tags.entries()) for (const tag of own) signs[row * classes + tag] = 1;
  return signs;
}

function made(counts: SparseRows, signs: Signs, classes: number): { vocabulary: Vocabulary; model: LinearModel } {
  const texts = signs.length / classes;
  const minTexts = texts < 2_000 ? 1 : 2;
  const vocabulary = learnVocabulary(counts, texts, { minTexts, most: Math.floor(MOST_WEIGHTS / classes) });
  return { vocabulary, model: trainSvm(weigh(counts, vocabulary), signs, classes, vocabulary.buckets.length, SVM) };
}

/** Scores of the texts from one on, a number for each tag. */
function scoresOf(
  { vocabulary, model }: { vocabulary: Vocabulary; model: LinearModel },
  counts: SparseRows,
  from: number,
  to: number,
): Float32Array {
  const rows = weigh(counts, vocabulary);
  const scores = new Float32Array((to - from) * model.classes);
  for (let row = from; row < to; row++) linearScores(model, rows, row, scores, (row - from) * model.classes);
  return scores;
}

/** What the chosen ones of the texts that were held out say of each tag. */
function rulesOf(
  scores: Float32Array,
  tags: readonly (readonly number[])[],
  chosen: readonly number[],
  classes: number,
  right: number,
): Rule[] {
  return Array.from({ length: classes }, (_, tag) => {
    const scored: Scored[] = chosen.map((row) => ({
      score: scores[row * classes + tag] ?? 0,
      isRight: tags[row]?.includes(tag) ?? false,
    }));
    const line = lineOf(scored);
    return { ...line, least: cutOf(scored, line, right) };
  });
}

/** Every text, by what was learnt from the others. */
function judge(
  scores: Float32Array,
  tags: readonly (readonly number[])[],
  classes: number,
  right: number,
): JudgedText[] {
  const rows = [...tags.keys()];
  return Array.from({ length: PARTS }, (_, part) => {
    const others = rows.filter((row) => row % PARTS !== part);
    const rules = rulesOf(scores, tags, others, classes, right);
    return rows
      .filter((row) => row % PARTS === part)
      .map((row) => ({
        actual: tags[row] ?? [],
        likely: rules.map(({ slope, start, least }, tag) => {
          const confidence = chance(slope * (scores[row * classes + tag] ?? 0) + start);
          return { confidence, isSaid: confidence >= least };
        }),
      }));
  }).flat();
}

/** The same model whose scores are log odds. */
function calibrated({ classes, weights }: LinearModel, rules: readonly Rule[]): LinearModel {
  const always = weights.length - classes;
  const changed = weights.map((weight, place) => {
    const { slope, start } = rules[place % classes] ?? { slope: 1, start: 0 };
    return weight * slope + (place >= always ? start : 0);
  });
  return { classes, weights: changed };
}
