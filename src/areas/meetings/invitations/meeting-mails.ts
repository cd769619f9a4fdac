import { defineMail, type MailKind, type MailText } from '../../../platform/mail/texts/mail-kind';
import type { LetterKind } from './letters';

const variables = {
  'meeting.title': { description: 'What it is about.', example: 'Printers for the third floor' },
  'meeting.when': {
    description: 'Its time, as the clock of the attendee shows it.',
    example: 'Monday, 1 March 2027, 10:00 - 10:30 (Europe/Berlin)',
  },
  'host.name': { description: 'Who invites.', example: 'Ines Ortega' },
  'attendee.name': { description: 'Name of the attendee; the address where there is none.', example: 'Ada Lovelace' },
  'workspace.name': { description: 'Name of the workspace.', example: 'Acme Support' },
} as const;

/** What all of them are about. */
const about = { variables, fieldsOf: 'meeting' } as const;

type Words = readonly [subject: string, text: string];

/** One sentence in five languages, behind a word that begins the subject. */
function texts(en: Words, more: Readonly<Record<string, Words>>): MailKind['texts'] {
  const textOf = ([subject, text]: Words): MailText => ({ subject: `${subject}: {{meeting.title}}`, text });
  const others = Object.entries(more).map(([language, words]): [string, MailText] => [language, textOf(words)]);
  return { en: textOf(en), ...Object.fromEntries(others) };
}

/** Mails to attendees; the time, the place and the button to join stand below the text. */
export const MEETING_MAILS = {
  invitation: defineMail({
    key: 'meeting_invitation',
    description: 'Invites an attendee to a meeting.',
    ...about,
    texts: texts(['Invitation', 'You are invited to a meeting.'], {
      de: ['Einladung', 'Sie sind zu einem Termin eingeladen.'],
      fr: ['Invitation', 'Vous êtes invité à une réunion.'],
      es: ['Invitación', 'Está invitado a una reunión.'],
      it: ['Invito', 'È invitato a una riunione.'],
    }),
  }),
  update: defineMail({
    key: 'meeting_update',
    description: 'Tells an attendee that a meeting has changed.',
    ...about,
    texts: texts(['Updated', 'A meeting that you are invited to has changed.'], {
      de: ['Geändert', 'Ein Termin, zu dem Sie eingeladen sind, hat sich geändert.'],
      fr: ['Modification', 'Une réunion à laquelle vous êtes invité a été modifiée.'],
      es: ['Cambio', 'Ha cambiado una reunión a la que está invitado.'],
      it: ['Modifica', 'Una riunione a cui è invitato è cambiata.'],
    }),
  }),
  cancellation: defineMail({
    key: 'meeting_cancellation',
    description: 'Tells an attendee that a meeting does not take place, or without them.',
    ...about,
    texts: texts(['Cancelled', 'A meeting that you were invited to will not take place, or without you.'], {
      de: ['Abgesagt', 'Ein Termin, zu dem Sie eingeladen waren, findet nicht oder ohne Sie statt.'],
      fr: ['Annulation', 'Une réunion à laquelle vous étiez invité n’aura pas lieu, ou se tiendra sans vous.'],
      es: ['Cancelada', 'Una reunión a la que estaba invitado no se celebrará, o será sin usted.'],
      it: ['Annullata', 'Una riunione a cui era invitato non si terrà, o si terrà senza di lei.'],
    }),
  }),
  rejection: defineMail({
    key: 'meeting_rejection',
    description: 'Tells an attendee that a meeting that was asked for cannot take place.',
    ...about,
    texts: texts(['Declined', 'The meeting that was asked for cannot take place.'], {
      de: ['Abgelehnt', 'Der gewünschte Termin kann nicht stattfinden.'],
      fr: ['Refus', 'La réunion demandée ne peut pas avoir lieu.'],
      es: ['Rechazada', 'La reunión solicitada no puede celebrarse.'],
      it: ['Rifiutata', 'La riunione richiesta non può tenersi.'],
    }),
  }),
  reminder: defineMail({
    key: 'meeting_reminder',
    description: 'Reminds an attendee of a meeting.',
    ...about,
    texts: texts(['Reminder', 'A meeting that you are invited to begins soon.'], {
      de: ['Erinnerung', 'Ein Termin, zu dem Sie eingeladen sind, beginnt bald.'],
      fr: ['Rappel', 'Une réunion à laquelle vous êtes invité commence bientôt.'],
      es: ['Recordatorio', 'Pronto empieza una reunión a la que está invitado.'],
      it: ['Promemoria', 'Sta per iniziare una riunione a cui è invitato.'],
    }),
  }),
} as const satisfies Record<LetterKind | 'reminder', MailKind>;

/** What stands beside the facts of a meeting. */
const english = { when: 'When', with: 'With', where: 'Where', reason: 'Reason', button: 'Join the meeting' };

type MeetingWords = Readonly<typeof english>;

const byLanguage: Readonly<Record<string, MeetingWords>> = {
  de: { when: 'Wann', with: 'Mit', where: 'Wo', reason: 'Grund', button: 'Am Termin teilnehmen' },
  fr: { when: 'Quand', with: 'Avec', where: 'Où', reason: 'Motif', button: 'Rejoindre la réunion' },
  es: { when: 'Cuándo', with: 'Con', where: 'Dónde', reason: 'Motivo', button: 'Unirse a la reunión' },
  it: { when: 'Quando', with: 'Con', where: 'Dove', reason: 'Motivo', button: 'Partecipa alla riunione' },
};

/** The words of a language; English where there are none. */
export function meetingWords(language: string): MeetingWords {
  return byLanguage[language] ?? english;
}
