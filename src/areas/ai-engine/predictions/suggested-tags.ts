import type { Classifier } from '../model/classifier';
import { explain } from '../model/explain';
import type { SeenText } from '../model/seen-text';
import { likelyTags } from '../model/tagger';
import type { ReadyModel } from '../models/loaded-models';
import { abstained, rounded } from './abstained';
import type { NewPrediction } from './prediction.entity';

/** Tags that are suggested, and alternatives that are shown. */
const MOST = 5;
const SHOWN = 3;
/** Of all of them together, as they are kept. */
const MOST_CHARACTERS = 255;

/**
 * The tags that a text is likely to have, each by the measure that it got when it was learnt. As sure as all of them together: the product
 * of what each is.
 */
export function suggestedTags(
  classifier: Classifier,
  text: SeenText,
  { method, id }: Pick<ReadyModel, 'method' | 'id'>,
): NewPrediction {
  const likely = likelyTags(classifier, text);
  const said = fitting(likely.filter(({ confidence, least }) => confidence >= least).slice(0, MOST));
  const others = likely
    .filter((each) => !said.includes(each))
    .slice(0, SHOWN)
    .map(({ value, confidence }) => ({ value, label: value, confidence: rounded(confidence) }));
  const [best] = said;
  const nothing = { ...abstained('tags', method, id), alternatives: others };
  if (!best) return { ...nothing, confidence: rounded(likely[0]?.confidence ?? 0), abstain_reason: 'low_confidence' };
  const value = said.map((each) => each.value).join(',');
  const confidence = rounded(said.reduce((product, each) => product * each.confidence, 1));
  const features = explain(classifier, text, best.value);
  return { ...nothing, value, label: value, confidence, features, abstain_reason: null };
}

function fitting<T extends { value: string }>(tags: readonly T[]): T[] {
  let size = -1;
  return tags.filter(({ value }) => {
    if (size + 1 + value.length > MOST_CHARACTERS) return false;
    size += 1 + value.length;
    return true;
  });
}
