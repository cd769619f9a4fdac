/** What somebody is asked in a conversation, by language; the address of the page stands behind it. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'How did we do? Your rating takes a moment:',
  de: 'Wie waren wir? Ihre Bewertung dauert nur einen Moment:',
  fr: 'Comment avons-nous été ? Votre avis ne prend qu’un instant :',
  es: '¿Qué tal lo hemos hecho? Su valoración lleva solo un momento:',
  it: 'Come ci siamo comportati? La Sua valutazione richiede solo un momento:',
};

/** @param language BCP 47 tag; English for those without words of their own */
export function invitationIn(language: string | null, url: string): string {
  const words = WORDS[language?.split('-', 1)[0]?.toLowerCase() ?? 'en'] ?? WORDS.en;
  return `${words ?? ''} ${url}`;
}
