/** The commonest words of languages, without those that several of them share a lot. */
export const COMMON_WORDS: Readonly<Record<string, string>> = {
  en: 'the and to of is in it you that for on are with this have not be can my we your please from when how what would has was they there',
  de: 'der die das und ist nicht ich wir sie mit ein eine auf für den dem zu im bitte kann wie aber von haben hat auch wenn noch nur es',
  fr: 'le la les et est une dans pour que qui pas nous vous je sur avec des du ne au mon votre bonjour merci mais plus cette être',
  it: 'il lo gli e è che non di per una con del della sono nel mi ho come anche questo può grazie alla più vorrei abbiamo dal',
  es: 'el los las y es que no de en un una por con para se del mi lo como pero su está este hola gracias tengo puede hay muy',
  pt: 'o os as e é que não de em um uma por com para se do da no na meu mas como está isso obrigado tenho pode foi são você',
  nl: 'de het een en is niet ik we je met van voor op te dat die zijn kan naar maar wij graag heeft ook als nog bij deze',
  sv: 'och att det som en är inte jag vi på med för till av har kan den ett men om när hur från tack hej inga var ska',
  da: 'og at det som en er ikke jeg vi på med for til af har kan den et men om når hvordan fra tak hej ikke skal være',
  pl: 'i w nie na się z do to że jest jak dla po od czy mam proszę ale przez już tylko może nas był są tego dziękuję',
};

/** Scripts that one language of ours writes in, or mostly. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  ko: /\p{Script=Hangul}/gu,
  zh: /\p{Script=Han}/gu,
  ru: /\p{Script=Cyrillic}/gu,
  el: /\p{Script=Greek}/gu,
  he: /\p{Script=Hebrew}/gu,
  ar: /\p{Script=Arabic}/gu,
};

/** Below, a text says too little to tell. */
const LEAST_CHARACTERS = 20;
const LOOKED_AT = 2_000;

/** A language and how sure that is; `value` null when it cannot be told. */
export interface Told {
  value: string | null;
  confidence: number;
  alternatives: { value: string; confidence: number }[];
}

const words = new Map(Object.entries(COMMON_WORDS).map(([language, list]) => [language, new Set(list.split(' '))]));

/** In how many of the languages a word is common: the more, the less it tells. */
const sharing = new Map<string, number>();
for (const known of words.values()) for (const word of known) sharing.set(word, (sharing.get(word) ?? 0) + 1);

/** The language of a text: by its script where that tells, else by the commonest words of ten languages. */
export function languageOf(text: string): Told {
  const looked = text.slice(0, LOOKED_AT).normalize('NFC').toLowerCase();
  const letters = looked.match(/\p{L}/gu)?.length ?? 0;
  if (letters < LEAST_CHARACTERS) return { value: null, confidence: 0, alternatives: [] };
  for (const [value, script] of Object.entries(SCRIPTS)) {
    const part = (looked.match(script)?.length ?? 0) / letters;
    // Japanese has characters of Chinese between its own.
    if (part > (value === 'ja' ? 0.1 : 0.5)) return { value, confidence: round(0.5 + part / 2), alternatives: [] };
  }
  const found = looked.match(/[\p{L}\p{M}]+/gu) ?? [];
  const counts = [...words].map(([value, known]) => ({
    value,
    count: found.reduce((sum, word) => sum + (known.has(word) ? 1 / (sharing.get(word) ?? 1) : 0), 0),
  }));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const ranked = counts
    .sort((one, other) => other.count - one.count)
    // As if each language had been met once in a while: a word or two decide nothing.
    .map(({ value, count }) => ({ value, confidence: round(count / (total + 1)) }));
  const [best, ...others] = ranked;
  const alternatives = others.filter(({ confidence }) => confidence > 0).slice(0, 3);
  if (!best || best.confidence < 0.5)
    return { value: null, confidence: best?.confidence ?? 0, alternatives: ranked.slice(0, 3) };
  return { ...best, alternatives };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
