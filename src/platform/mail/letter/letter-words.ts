import { languageOfTag } from '../../text/language';

/** What every mail says besides what it is about. `{…}` stands for a value. */
const english = {
  answerAbove: 'Please write your answer above this line',
  earlier: 'Earlier messages',
  wrote: '{author} wrote on {at}:',
  files: 'Files',
  more: 'The message goes on.',
};

export type LetterWords = Readonly<typeof english>;

const byLanguage: Readonly<Record<string, LetterWords>> = {
  en: english,
  de: {
    answerAbove: 'Bitte schreiben Sie Ihre Antwort über diese Zeile',
    earlier: 'Frühere Nachrichten',
    wrote: '{author} schrieb am {at}:',
    files: 'Dateien',
    more: 'Die Nachricht geht weiter.',
  },
  fr: {
    answerAbove: 'Veuillez écrire votre réponse au-dessus de cette ligne',
    earlier: 'Messages précédents',
    wrote: '{author} a écrit le {at} :',
    files: 'Fichiers',
    more: 'Le message continue.',
  },
  es: {
    answerAbove: 'Escriba su respuesta encima de esta línea',
    earlier: 'Mensajes anteriores',
    wrote: '{author} escribió el {at}:',
    files: 'Archivos',
    more: 'El mensaje continúa.',
  },
  it: {
    answerAbove: 'Scriva la sua risposta sopra questa riga',
    earlier: 'Messaggi precedenti',
    wrote: '{author} ha scritto il {at}:',
    files: 'File',
    more: 'Il messaggio continua.',
  },
};

/** The words of a locale's language, and the locale that days are written in beside them; English where there are none. */
export function letterWords(locale: string): { words: LetterWords; locale: string } {
  const words = byLanguage[languageOfTag(locale)];
  return words ? { words, locale } : { words: english, locale: 'en' };
}
