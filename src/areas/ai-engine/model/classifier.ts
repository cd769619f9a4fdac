import { type Blend, blended, learnBlend, type MemberScores, toProbabilities } from './blend';
import { type Evaluation, evaluate, type Judged } from './evaluation';
import { heldOutLast, PARTS } from './held-out';
import { addLatentScores, type LatentNetwork, latentScores, LEAST_TEXTS, trainLatentNetworks } from './latent-network';
import { type LinearModel, linearScores, signsOf, trainSvm } from './linear-svm';
import { trainNbSvm } from './nb-svm';
import { type SeenText, seenText } from './seen-text';
import { type SparseRows, withColumns } from './sparse';
import { BLOCKS, type FeatureKinds, wordsOf } from './text-features';
import { countAlone, countFeatures, learnVocabulary, type Vocabulary, weigh } from './tf-idf';

/** Texts with what they are. */
export interface LabelledTexts {
  texts: readonly string[];
  /** Place of its class among the classes. */
  labels: Int32Array;
  classes: readonly string[];
  /** Of texts whose words are names: by these some are held out, and no characters of words are looked at. */
  keys?: readonly string[];
}

/** A classifier of texts: linear models together, as one, and networks; their scores become probabilities. */
export interface Classifier {
  classes: readonly string[];
  kinds: FeatureKinds;
  vocabulary: Vocabulary;
  model: LinearModel;
  /** What is added to the scores of the linear model, all of one vocabulary; none where there were too few texts, or too many classes. */
  latent: readonly LatentNetwork[];
  /** Where texts are of several classes: from which probability on each is said. Null where each text is of one. */
  least: readonly number[] | null;
}

/** A class and how likely it is. */
export interface Likely {
  value: string;
  confidence: number;
}

/** Weights of a model: fewer features where there are many classes. */
export const MOST_WEIGHTS = 6_000_000;
/** Above, characters are left out: they take most of the time and of the weights. */
export const MOST_CLASSES_WITH_CHARACTERS = 16;

export const SVM = { cost: 0.2, rounds: 7 };
const NB_SVM = { cost: 0.08, rounds: 6 };

/** How many of the members of a blend are linear; the networks come behind them. */
const LINEAR = 2;

/** The models, before they are one. */
interface Members {
  vocabulary: Vocabulary;
  /** All texts, by the features that are known. */
  rows: SparseRows;
  svm: LinearModel;
  /** Features that are no characters, by their columns: what the other model looks at. */
  words: Int32Array;
  wordRows: SparseRows;
  nbSvm: LinearModel;
  latent: readonly LatentNetwork[];
}

/** Texts as models see them. */
interface Counted {
  counts: SparseRows;
  /** Words alone; null where nothing looks at them. */
  words: SparseRows | null;
}

/**
 * Learns from texts, and says how good it is: a fifth of them, chosen by what they say so that the same text is never on both
 * sides, is held out at first and judged by models that have not seen it; then the models are made of all. Takes seconds to a
 * minute: in a thread only.
 *
 * @param threshold confidence from which a prediction counts as an answer
 */
export function trainClassifier(
  given: LabelledTexts,
  threshold: number,
): { classifier: Classifier; evaluation: Evaluation } {
  const { classes } = given;
  const { texts, labels, kept } = apart(given);
  const kinds = { characters: classes.length <= MOST_CLASSES_WITH_CHARACTERS && given.keys === undefined };
  const seesWords = kinds.characters && kept >= LEAST_TEXTS;
  const counted: Counted = {
    counts: countFeatures(texts, kinds),
    words: seesWords ? countAlone(texts.map(wordsOf)) : null,
  };
  const scores = heldOutScores(counted, labels.subarray(0, kept), texts.length, classes.length);
  const truth = labels.subarray(kept);
  const evaluation = evaluate(judge(scores, truth), threshold);
  const blend = learnBlend(scores, truth, [...truth.keys()]);
  const all = members(counted, labels, classes.length);
  const made = {
    vocabulary: all.vocabulary,
    model: together(all, blend),
    latent: all.latent.map((each, at) => weighed(each, blend.weights[LINEAR + at] ?? 0)),
  };
  return { classifier: { classes, kinds, ...made, least: null }, evaluation };
}

/** What a text is, the likeliest first. */
export function classify({ classes, kinds, vocabulary, model, latent }: Classifier, text: string | SeenText): Likely[] {
  const scores = new Float32Array(classes.length);
  const seen = seenText(text);
  linearScores(model, seen.rows(kinds, vocabulary), 0, scores);
  for (const each of latent) addLatentScores(each, seen.wordRows(each.space.vocabulary), scores);
  toProbabilities(scores);
  return classes
    .map((value, index) => ({ value, confidence: scores[index] ?? 0 }))
    .sort((one, other) => other.confidence - one.confidence);
}

/** The same texts with those that are held out at the end. */
function apart({ texts, labels, keys = texts }: LabelledTexts): { texts: string[]; labels: Int32Array; kept: number } {
  const { order, kept } = heldOutLast(keys);
  return {
    texts: order.map((at) => texts[at] ?? ''),
    labels: Int32Array.from(order, (at) => labels[at] ?? 0),
    kept,
  };
}

/** The models, of the first texts: as many as there are labels. */
function members({ counts, words: alone }: Counted, labels: Int32Array, classes: number): Members {
  const minTexts = labels.length < 2_000 ? 1 : 2;
  const vocabulary = learnVocabulary(counts, labels.length, { minTexts, most: Math.floor(MOST_WEIGHTS / classes) });
  const rows = weigh(counts, vocabulary);
  // Each block is weighed by itself, so features of words weigh the same without those of characters.
  const words = Int32Array.from([...vocabulary.buckets.keys()].filter((at) => isOfWords(vocabulary.buckets[at] ?? 0)));
  const wordRows = withColumns(rows, words, vocabulary.buckets.length);
  const svm = trainSvm(rows, signsOf(labels, classes), classes, vocabulary.buckets.length, SVM);
  const nbSvm = trainNbSvm(wordRows, labels, classes, words.length, NB_SVM);
  const latent = alone ? trainLatentNetworks(alone, labels, classes) : [];
  return { vocabulary, rows, svm, words, wordRows, nbSvm, latent };
}

const isOfWords = (bucket: number): boolean => bucket < BLOCKS.characters || bucket >= BLOCKS.opening;

/** A network whose scores are as many times those of the one given. */
function weighed({ space, network }: LatentNetwork, weight: number): LatentNetwork {
  return { space, network: { ...network, second: network.second.map((each) => each * weight) } };
}

/** Both linear models as one: scores of linear models, weighted and added, are those of another one. */
function together({ vocabulary, svm, words, nbSvm }: Members, { weights, biases }: Blend): LinearModel {
  const { classes } = svm;
  const [own = 0, other = 0] = weights;
  const sum = svm.weights.map((weight) => weight * own);
  const add = (column: number, from: number): void => {
    for (let k = 0; k < classes; k++) {
      const place = column * classes + k;
      sum[place] = (sum[place] ?? 0) + other * (nbSvm.weights[from * classes + k] ?? 0);
    }
  };
  for (const [from, column] of words.entries()) add(column, from);
  const always = vocabulary.buckets.length;
  add(always, words.length);
  for (let k = 0; k < classes; k++) sum[always * classes + k] = (sum[always * classes + k] ?? 0) + (biases[k] ?? 0);
  return { classes, weights: sum };
}

/** What models of the first texts say of the others. */
function heldOutScores(counted: Counted, labels: Int32Array, texts: number, classes: number): MemberScores {
  const made = members(counted, labels, classes);
  const from = labels.length;
  const scored = (model: LinearModel, rows: SparseRows): Float32Array => {
    const scores = new Float32Array((texts - from) * classes);
    for (let row = from; row < texts; row++) linearScores(model, rows, row, scores, (row - from) * classes);
    return scores;
  };
  const linear = [scored(made.svm, made.rows), scored(made.nbSvm, made.wordRows)];
  const { words } = counted;
  const latent = words ? made.latent.map((each) => latentScores(each, words, from, texts)) : [];
  return { classes, members: [...linear, ...latent] };
}

/** Every text, judged by a blend that was learnt from the others: each part by what the others say. */
function judge(scores: MemberScores, truth: Int32Array): Judged[] {
  const rows = [...truth.keys()];
  return Array.from({ length: PARTS }, (_, part) => {
    const others = rows.filter((row) => row % PARTS !== part);
    const blend = learnBlend(scores, truth, others);
    return rows
      .filter((row) => row % PARTS === part)
      .map((row) => {
        const probabilities = blended(scores, blend, row);
        const confidence = Math.max(...probabilities);
        return { predicted: probabilities.indexOf(confidence), actual: truth[row] ?? -1, confidence };
      });
  }).flat();
}
