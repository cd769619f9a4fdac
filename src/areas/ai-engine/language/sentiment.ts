import type { Telling } from '../model/explain';

/** From the worst to the best; the values of a ticket's `sentiment`. */
export const LEVELS = ['very_negative', 'negative', 'neutral', 'positive', 'very_positive'] as const;
export type Level = (typeof LEVELS)[number];

/** Words by how they sound, -2 to 2. */
interface Lexicon {
  strong: Readonly<Record<'bad' | 'good', string>>;
  plain: Readonly<Record<'bad' | 'good', string>>;
  not: string;
}

const LEXICONS: Readonly<Record<string, Lexicon>> = {
  en: {
    strong: {
      bad: 'unacceptable terrible horrible awful furious disgusting outrageous worst scam useless disaster ridiculous',
      good: 'excellent fantastic amazing wonderful brilliant perfect outstanding love',
    },
    plain: {
      bad: 'bad angry annoyed annoying broken frustrated frustrating disappointed disappointing problem fail fails failed failing wrong slow unhappy complaint poor urgent waiting lost crash crashes error impossible',
      good: 'good great thanks thank happy helpful nice pleased appreciate works resolved glad kind quick',
    },
    not: 'not no never without cannot cant dont doesnt didnt isnt wasnt',
  },
  de: {
    strong: {
      bad: 'inakzeptabel furchtbar katastrophe unverschämt unmöglich wütend',
      good: 'hervorragend fantastisch perfekt großartig begeistert',
    },
    plain: {
      bad: 'schlecht kaputt ärgerlich enttäuscht fehler problem langsam falsch beschwerde dringend defekt',
      good: 'gut danke dank super freundlich hilfreich zufrieden schnell toll',
    },
    not: 'nicht kein keine keinen nie ohne',
  },
  it: {
    strong: {
      bad: 'inaccettabile pessimo terribile vergognoso furioso disastro',
      good: 'eccellente fantastico perfetto ottimo meraviglioso',
    },
    plain: {
      bad: 'male rotto problema errore lento deluso reclamo sbagliato urgente guasto arrabbiato',
      good: 'bene buono grazie gentile contento utile veloce bravo',
    },
    not: 'non mai senza nessun nessuna',
  },
  fr: {
    strong: {
      bad: 'inacceptable horrible catastrophe scandaleux furieux lamentable',
      good: 'excellent parfait fantastique formidable génial',
    },
    plain: {
      bad: 'mauvais cassé problème erreur lent déçu réclamation faux urgent panne',
      good: 'bien bon merci content utile rapide super gentil',
    },
    not: 'pas jamais sans aucun aucune ne',
  },
  es: {
    strong: {
      bad: 'inaceptable pésimo terrible vergonzoso furioso desastre',
      good: 'excelente fantástico perfecto maravilloso genial',
    },
    plain: {
      bad: 'malo mal roto problema error lento decepcionado queja equivocado urgente falla',
      good: 'bueno bien gracias amable contento útil rápido',
    },
    not: 'no nunca sin ningún ninguna',
  },
};

export const SENTIMENT_LANGUAGES = Object.keys(LEXICONS);

/** A list of words is no understanding: it is never surer than this. */
const MOST_CONFIDENCE = 0.6;
const LOOKED_AT = 4_000;

/** How a text sounds, by a list of words; null in a language that there is none of. */
export function sentimentOf(
  text: string,
  language: string,
): { value: Level; confidence: number; features: Telling[] } | null {
  const lexicon = LEXICONS[language];
  if (!lexicon) return null;
  const scores = scoresOf(lexicon);
  const negations = new Set(lexicon.not.split(' '));
  const looked = text.slice(0, LOOKED_AT);
  const words =
    looked
      .normalize('NFC')
      .toLowerCase()
      .replaceAll(/['’]/g, '')
      .match(/[\p{L}\p{M}]+/gu) ?? [];
  const features: Telling[] = [];
  for (const [index, token] of words.entries()) {
    const score = scores.get(token) ?? 0;
    const isDenied = negations.has(words[index - 1] ?? '') || negations.has(words[index - 2] ?? '');
    if (score !== 0) features.push({ token, weight: isDenied ? -score / 2 : score });
  }
  const emphasis = isShouted(looked) ? 1.5 : 1;
  const sum = features.reduce((total, { weight }) => total + weight, 0) * emphasis;
  const value = LEVELS[Math.max(0, Math.min(4, Math.round(sum / 1.5) + 2))] ?? 'neutral';
  const confidence = Math.min(MOST_CONFIDENCE, 0.3 + 0.1 * features.length);
  const telling = [...features].sort((one, other) => Math.abs(other.weight) - Math.abs(one.weight)).slice(0, 5);
  return { value, confidence: Math.round(confidence * 100) / 100, features: telling };
}

function scoresOf({ strong, plain }: Lexicon): ReadonlyMap<string, number> {
  const entries = (list: string, score: number): [string, number][] => list.split(' ').map((word) => [word, score]);
  return new Map([
    ...entries(plain.bad, -1),
    ...entries(plain.good, 1),
    ...entries(strong.bad, -2),
    ...entries(strong.good, 2),
  ]);
}

/** Several exclamation marks, or mostly capitals. */
function isShouted(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  return /!!/.test(text) || (letters >= 20 && capitals > letters * 0.6);
}
