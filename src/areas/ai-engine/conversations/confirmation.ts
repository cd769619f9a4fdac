import { tellingWords } from '../language/stop-words';
import { eachWord, fold } from '../../../platform/search/words';

/** What people say when an answer was right, in the languages that the engine has phrases in. */
const CONFIRMING = new Set(
  (
    'thanks thank thx cheers great perfect super solved works worked helped resolved fixed yes ok okay ' +
    'danke gelöst funktioniert geklappt geholfen perfekt ja prima ' +
    'grazie risolto funziona perfetto aiutato ' +
    'merci résolu fonctionne marche parfait aidé oui ' +
    'gracias resuelto funciona perfecto ayudado'
  )
    .split(' ')
    .map(fold),
);
const DENYING = new Set(
  'not no nope never doesnt didnt isnt nicht nein kein keine nie non mai pas jamais nunca'.split(' '),
);
/** Who says more has something to say. */
const MOST_WORDS = 12;

/** Whether a text says that an answer was right, and nothing else: a word more that means anything, a question or a negation is something else. */
export function isConfirmation(text: string): boolean {
  if (/[?？]/u.test(text)) return false;
  const words = [...eachWord(text.replaceAll(/['’]/g, ''))].map((word) => word.text);
  if (words.length > MOST_WORDS || words.some((word) => DENYING.has(word))) return false;
  return (
    words.some((word) => CONFIRMING.has(word)) && tellingWords(words, MOST_WORDS).every((word) => CONFIRMING.has(word))
  );
}

/** Whether no word of a text tells what it is about: a greeting. */
export function isSmallTalk(text: string): boolean {
  const words = [...eachWord(text)].map((word) => word.text);
  return tellingWords(words, 1).length === 0;
}
