import { fold } from '../../../platform/search/words';
import type { Telling } from '../model/explain';

/** What the writer of a ticket wants, as far as rules can tell; where two are as likely, the one named first. */
export const INTENTS = ['cancellation', 'complaint', 'access', 'problem', 'request', 'question', 'thanks'] as const;
export type Intent = (typeof INTENTS)[number];

/** Words and phrases by what they speak for; `*` stands for any ending. */
type Cues = Readonly<Record<Intent, string>>;

const CUES: Readonly<Record<string, Cues>> = {
  en: {
    cancellation: 'cancel*, refund*, money back, terminate, termination, unsubscribe, return the, close my account',
    complaint: 'complain*, unacceptable, disappointed, terrible, worst, third time, still waiting, fed up',
    access: 'password*, log in, login, sign in, locked, access, permission*, rights, account, authoris*, authoriz*',
    problem:
      'error*, broken, fail*, crash*, issue*, problem*, not work*, does not, doesn t, cannot, can t, unable, stopped, slow, down, bug, freez*',
    request:
      'please, request*, need*, would like, could you, can you, install*, set up, setup, order*, provide, create, add, grant',
    question:
      'how do, how can, how to, how long, what is, what are, where, when, why, which, is it possible, wondering, ?',
    thanks: 'thank you for, thanks for, many thanks, works now, solved, great help',
  },
  de: {
    cancellation: 'kundig*, stornier*, storno, erstatt*, geld zuruck, ruckgabe, widerruf*, abbestell*',
    complaint: 'beschwer*, inakzeptabel, enttauscht, unverschamt, zum dritten mal, warte immer noch, argerlich',
    access: 'passwort*, kennwort*, anmeld*, einlogg*, login, gesperrt, zugriff*, zugang*, berechtigung*, konto',
    problem: 'fehler*, kaputt, defekt, absturz*, sturzt ab, problem*, funktioniert nicht, geht nicht, storung, langsam',
    request: 'bitte, benotig*, brauche*, mochte*, konnten sie, konnen sie, installier*, einricht*, bestell*, anleg*',
    question: 'wie kann, wie lange, wie geht, was ist, wo ist, wann, warum, welche*, ist es moglich, frage, ?',
    thanks: 'vielen dank fur, danke fur, geht wieder, gelost, funktioniert wieder',
  },
  it: {
    cancellation: 'disdi*, annull*, rimbors*, recesso, cancellare l abbonamento, restituzione, soldi indietro',
    complaint: 'reclam*, inaccettabile, deluso, delusa, vergogn*, pessimo, terza volta, sto ancora aspettando',
    access: 'password, accesso, accedere, login, bloccato, permess*, autorizzazion*, credenziali, account',
    problem: 'errore, errori, guast*, rott*, problema, problemi, non funziona*, non riesco, si blocca, lento, lenta',
    request: 'vorrei, per favore, richied*, richiesta, ho bisogno, potete, potreste, installa*, configura*, ordin*',
    question: 'come posso, come si, come faccio, quanto tempo, che cosa, dove, quando, perche, quale, e possibile, ?',
    thanks: 'grazie per, grazie mille, ora funziona, risolto',
  },
  fr: {
    cancellation: 'annul*, rembours*, resili*, desabonn*, retourner, retractation',
    complaint: 'reclamation*, inacceptable, decu, decue, scandaleux, lamentable, troisieme fois, j attends toujours',
    access: 'mot de passe, connecter, connexion, identifiant*, verrouille, bloque, acces, autorisation*, compte',
    problem: 'erreur*, panne*, casse, probleme*, ne fonctionne*, ne marche*, plante*, bug, lent, lente, impossible de',
    request:
      'je voudrais, s il vous plait, demande*, besoin, pourriez vous, pouvez vous, install*, configur*, command*',
    question: 'comment, combien, qu est ce, ou est, quand, pourquoi, quel*, est il possible, est ce que, ?',
    thanks: 'merci pour, merci beaucoup, ca marche, resolu',
  },
  es: {
    cancellation: 'cancel*, reembols*, devolucion, devolver, dar de baja, rescindir, anular',
    complaint: 'queja*, reclam*, inaceptable, decepcionado, decepcionada, pesimo, tercera vez, sigo esperando',
    access: 'contrasena*, acceso, acceder, iniciar sesion, bloqueado, bloqueada, permiso*, autorizacion*, cuenta',
    problem: 'error*, averia*, roto, rota, problema*, no funciona*, no puedo, falla*, se cuelga, lento, lenta',
    request: 'quisiera, por favor, solicit*, necesit*, podrian, pueden, instal*, configur*, pedido, quiero',
    question: 'como puedo, como se, cuanto, que es, donde, cuando, por que, cual*, es posible, ?',
    thanks: 'gracias por, muchas gracias, ya funciona, resuelto, solucionado',
  },
};

export const INTENT_LANGUAGES: readonly string[] = Object.keys(CUES);

/** Never surer than a list of words can be; and how much surer each cue more than the next intent has makes it. */
const SUREST = 0.6;
const LEAST_SURE = 0.3;
const SURER = 0.1;
const LOOKED_AT = 4_000;
const MOST_CUES = 5;

/** An intent, what else it could be, and the cues that spoke for it. */
export interface ToldIntent {
  value: Intent;
  confidence: number;
  alternatives: { value: Intent; confidence: number }[];
  features: Telling[];
}

const lists = new Map(
  Object.entries(CUES).map(([language, cues]) => [
    language,
    INTENTS.map((intent) => ({ intent, cues: cues[intent].split(', ') })),
  ]),
);

/**
 * What the writer of a text wants, by the words and phrases that speak for it; null where none does.
 *
 * @param language of the text; null = those of all languages count
 */
export function intentOf(text: string, language: string | null): ToldIntent | null {
  const words = fold(text.slice(0, LOOKED_AT))
    .replaceAll('?', ' ? ')
    .replaceAll(/[^\p{L}\p{N}?]+/gu, ' ');
  const said = ` ${words} `.replaceAll(/ +/g, ' ');
  const asked = language === null ? [...lists.values()].flat() : (lists.get(language) ?? []);
  const found = INTENTS.map((value) => {
    const cues = asked.filter(({ intent }) => intent === value).flatMap((each) => each.cues);
    return { value, cues: [...new Set(cues.filter((cue) => has(said, cue)))] };
  }).filter(({ cues }) => cues.length > 0);
  // The sort is stable: of those with as many cues the order of the intents holds.
  found.sort((one, other) => other.cues.length - one.cues.length);
  const [best, next, ...others] = found;
  if (!best) return null;
  const lead = best.cues.length - (next?.cues.length ?? 0);
  const sure = (each: { cues: readonly string[] }): number =>
    rounded(Math.min(LEAST_SURE, (LEAST_SURE * each.cues.length) / best.cues.length));
  return {
    value: best.value,
    confidence: rounded(Math.min(SUREST, LEAST_SURE + SURER * lead)),
    alternatives: [next, ...others]
      .flatMap((each) => (each ? [{ value: each.value, confidence: sure(each) }] : []))
      .slice(0, 3),
    features: best.cues.slice(0, MOST_CUES).map((token) => ({ token: token.replace('*', ''), weight: 1 })),
  };
}

function has(said: string, cue: string): boolean {
  return said.includes(cue.endsWith('*') ? ` ${cue.slice(0, -1)}` : ` ${cue} `);
}

function rounded(confidence: number): number {
  return Math.round(confidence * 10_000) / 10_000;
}
