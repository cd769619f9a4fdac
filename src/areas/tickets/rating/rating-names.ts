import { languageOfTag } from '../../../platform/text/language';

/** What pages and mails about ratings say besides what a workspace writes. `{…}` stands for a value. */
const english = {
  scores: ['Very bad', 'Bad', 'Neither good nor bad', 'Good', 'Very good'],
  title: 'How did we do?',
  legend: 'Your satisfaction with our help',
  comment: 'Anything you want to tell us',
  send: 'Send',
  change: 'Change the rating',
  changeLink: 'Change it',
  thanks: 'Thank you',
  yours: 'Your rating: {score}.',
  fixed: 'You have rated our help: {score}. The rating can no longer be changed.',
  open: 'Not resolved yet',
  openText: 'This request is being worked on again. You can rate our help as soon as it has been resolved.',
  joined: 'Joined with another request',
  joinedText: 'This request was joined with another, and we go on with it there. It cannot be rated by itself.',
};

export type RatingWords = Readonly<typeof english>;

const byLanguage: Readonly<Record<string, RatingWords>> = {
  en: english,
  de: {
    scores: ['Sehr schlecht', 'Schlecht', 'Weder gut noch schlecht', 'Gut', 'Sehr gut'],
    title: 'Wie zufrieden sind Sie?',
    legend: 'Ihre Zufriedenheit mit unserer Hilfe',
    comment: 'Möchten Sie uns noch etwas sagen?',
    send: 'Senden',
    change: 'Bewertung ändern',
    changeLink: 'Ändern',
    thanks: 'Vielen Dank',
    yours: 'Ihre Bewertung: {score}.',
    fixed: 'Sie haben unsere Hilfe bewertet: {score}. Die Bewertung kann nicht mehr geändert werden.',
    open: 'Noch nicht gelöst',
    openText: 'An dieser Anfrage wird wieder gearbeitet. Sie können unsere Hilfe bewerten, sobald sie gelöst ist.',
    joined: 'Mit einer anderen Anfrage zusammengeführt',
    joinedText:
      'Diese Anfrage wurde mit einer anderen zusammengeführt; dort geht es weiter. Einzeln kann sie nicht bewertet werden.',
  },
  fr: {
    scores: ['Très mauvais', 'Mauvais', 'Ni bon ni mauvais', 'Bon', 'Très bon'],
    title: 'Êtes-vous satisfait ?',
    legend: 'Votre satisfaction',
    comment: 'Souhaitez-vous ajouter quelque chose ?',
    send: 'Envoyer',
    change: 'Modifier l’évaluation',
    changeLink: 'Modifier',
    thanks: 'Merci',
    yours: 'Votre évaluation : {score}.',
    fixed: 'Vous avez évalué notre aide : {score}. L’évaluation ne peut plus être modifiée.',
    open: 'Pas encore résolu',
    openText: 'Cette demande est de nouveau en cours. Vous pourrez évaluer notre aide dès qu’elle sera résolue.',
    joined: 'Regroupée avec une autre demande',
    joinedText:
      'Cette demande a été regroupée avec une autre, dans laquelle elle se poursuit. Elle ne peut pas être évaluée séparément.',
  },
  es: {
    scores: ['Muy mal', 'Mal', 'Ni bien ni mal', 'Bien', 'Muy bien'],
    title: '¿Cómo lo hemos hecho?',
    legend: 'Su satisfacción con nuestra ayuda',
    comment: '¿Desea decirnos algo más?',
    send: 'Enviar',
    change: 'Cambiar la valoración',
    changeLink: 'Cambiar',
    thanks: 'Gracias',
    yours: 'Su valoración: {score}.',
    fixed: 'Ha valorado nuestra ayuda: {score}. La valoración ya no se puede cambiar.',
    open: 'Aún no está resuelta',
    openText: 'Estamos trabajando de nuevo en esta solicitud. Podrá valorar nuestra ayuda en cuanto esté resuelta.',
    joined: 'Unida a otra solicitud',
    joinedText: 'Esta solicitud se ha unido a otra, en la que continúa. No se puede valorar por separado.',
  },
  it: {
    scores: ['Pessimo', 'Scarso', 'Né buono né scarso', 'Buono', 'Ottimo'],
    title: 'Come ci siamo comportati?',
    legend: 'La sua soddisfazione per il nostro aiuto',
    comment: 'Vuole dirci altro?',
    send: 'Invia',
    change: 'Modifica la valutazione',
    changeLink: 'Modifica',
    thanks: 'Grazie',
    yours: 'La sua valutazione: {score}.',
    fixed: 'Ha valutato il nostro aiuto: {score}. La valutazione non può più essere modificata.',
    open: 'Non ancora risolta',
    openText: 'Stiamo lavorando di nuovo a questa richiesta. Potrà valutare il nostro aiuto appena sarà risolta.',
    joined: 'Unita a un’altra richiesta',
    joinedText: 'Questa richiesta è stata unita a un’altra, nella quale prosegue. Non può essere valutata da sola.',
  },
};

/** The words of a locale's language; English where there are none. */
export function ratingWords(locale: string): RatingWords {
  return byLanguage[languageOfTag(locale)] ?? english;
}

/** A score with its name, best first: `5 – Very good`. */
export function scoresOf({ scores }: RatingWords): { score: number; name: string }[] {
  return scores.map((name, index) => ({ score: index + 1, name })).reverse();
}
