import type { MessageAction } from './conversation-values';

/** What the engine says besides what it quotes. */
type Phrase = Exclude<MessageAction, 'answer'> | 'greeting' | 'away';

const PHRASES: Readonly<Record<string, Readonly<Record<Phrase, string>>>> = {
  en: {
    away: 'At the moment nobody is here: we will answer as soon as we are back.',
    greeting: 'How can we help you?',
    clarify: 'I have found no clear answer to that. Could you say in other words, or more exactly, what it is about?',
    handover: 'Somebody of our team takes over from here and will answer you.',
    resolve: 'Good that it helped. Write here again whenever there is something else.',
  },
  de: {
    away: 'Im Moment ist niemand da: Wir antworten, sobald wir zurück sind.',
    greeting: 'Wie können wir Ihnen helfen?',
    clarify:
      'Dazu habe ich keine eindeutige Antwort gefunden. Können Sie mit anderen Worten oder genauer sagen, worum es geht?',
    handover: 'Ab hier übernimmt jemand aus unserem Team und wird Ihnen antworten.',
    resolve: 'Schön, dass es geholfen hat. Schreiben Sie hier jederzeit wieder, wenn noch etwas ist.',
  },
  it: {
    away: 'Al momento non c’è nessuno: risponderemo appena torniamo.',
    greeting: 'Come possiamo aiutarti?',
    clarify:
      'Non ho trovato una risposta chiara. Puoi dire con altre parole, o più precisamente, di che cosa si tratta?',
    handover: 'Da qui in poi prosegue una persona del nostro team, che ti risponderà.',
    resolve: 'Bene che sia stato utile. Scrivi di nuovo qui quando vuoi.',
  },
  fr: {
    away: 'Personne n’est là pour le moment : nous répondrons dès notre retour.',
    greeting: 'Comment pouvons-nous vous aider ?',
    clarify:
      'Je n’ai pas trouvé de réponse claire. Pouvez-vous dire autrement, ou plus précisément, de quoi il s’agit ?',
    handover: 'Une personne de notre équipe prend le relais et vous répondra.',
    resolve: 'Tant mieux si cela a aidé. Écrivez ici de nouveau quand vous voulez.',
  },
  es: {
    away: 'Ahora no hay nadie: responderemos en cuanto volvamos.',
    greeting: '¿En qué podemos ayudarle?',
    clarify:
      'No he encontrado una respuesta clara. ¿Puede decir con otras palabras, o con más detalle, de qué se trata?',
    handover: 'A partir de aquí sigue una persona de nuestro equipo, que le responderá.',
    resolve: 'Nos alegra que haya servido. Vuelva a escribir aquí cuando quiera.',
  },
};

/** @param language BCP 47; English where there are no phrases in it */
export function phraseOf(phrase: Phrase, language: string | null): string {
  const known = PHRASES[language?.split('-')[0]?.toLowerCase() ?? 'en'] ?? PHRASES.en;
  return known?.[phrase] ?? '';
}
