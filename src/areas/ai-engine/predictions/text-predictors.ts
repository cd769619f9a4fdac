import { INTENT_LANGUAGES, intentOf } from '../language/intents';
import { languageOf } from '../language/languages';
import { SENTIMENT_LANGUAGES, sentimentOf } from '../language/sentiment';
import { abstained } from './abstained';
import type { NewPrediction } from './prediction.entity';

const named = ({ value, confidence }: { value: string; confidence: number }) => ({ value, label: value, confidence });

/** The language of a text; it abstains where there is too little to tell. */
export function predictLanguage(text: string): NewPrediction {
  const method = 'function-words';
  const { value, confidence, alternatives } = languageOf(text);
  const others = alternatives.map(named);
  if (value === null)
    return { ...abstained('language', method, null), alternatives: others, abstain_reason: 'low_confidence' };
  return {
    ...abstained('language', method, null),
    ...named({ value, confidence: Math.min(1, confidence) }),
    alternatives: others,
    abstain_reason: null,
  };
}

/** What its writer wants, by rules: as long as nothing was learnt of it. It abstains in languages that there are no rules for. */
export function predictIntent(text: string): NewPrediction {
  const method = 'rules';
  const language = languageOf(text).value;
  const isKnown = language === null || INTENT_LANGUAGES.includes(language);
  const told = isKnown ? intentOf(text, language) : null;
  const nothing = abstained('intent', method, null);
  if (!told) return { ...nothing, abstain_reason: isKnown ? 'low_confidence' : 'unsupported_language' };
  const { value, confidence, alternatives, features } = told;
  const others = alternatives.map(named);
  return { ...nothing, ...named({ value, confidence }), alternatives: others, features, abstain_reason: null };
}

/** How a text sounds; it abstains in languages that there is no list of words of. */
export function predictSentiment(text: string): NewPrediction {
  const method = 'lexicon';
  const language = languageOf(text).value;
  const told = language === null ? null : sentimentOf(text, language);
  if (!told) {
    const isKnown = language === null || SENTIMENT_LANGUAGES.includes(language);
    const abstain_reason = isKnown ? 'low_confidence' : 'unsupported_language';
    return { ...abstained('sentiment', method, null), abstain_reason };
  }
  const { value, confidence, features } = told;
  return { ...abstained('sentiment', method, null), ...named({ value, confidence }), features, abstain_reason: null };
}
