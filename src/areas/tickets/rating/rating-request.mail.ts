import { defineMail } from '../../../platform/mail/texts/mail-kind';
import { mailOfTicket } from '../ticket-mail-variables';

/** Asks a requester how the help was; the five answers stand below the text. */
export const ratingRequestMail = defineMail({
  key: 'rating_request',
  fieldsOf: 'ticket',
  description: 'Asks a requester to rate how a ticket was resolved, where the workspace wants it (`csat_request`).',
  variables: mailOfTicket,
  texts: {
    en: {
      subject: '[{{ticket.code}}] How did we do?',
      text: 'Hello {{requester.name}},\n\nyour request **{{ticket.subject}}** has been resolved. How satisfied are you with the help you received?',
    },
    de: {
      subject: '[{{ticket.code}}] Wie zufrieden sind Sie?',
      text: 'Guten Tag {{requester.name}},\n\nIhre Anfrage **{{ticket.subject}}** ist gelöst. Wie zufrieden sind Sie mit unserer Hilfe?',
    },
    fr: {
      subject: '[{{ticket.code}}] Êtes-vous satisfait ?',
      text: 'Bonjour {{requester.name}},\n\nvotre demande **{{ticket.subject}}** est résolue. Êtes-vous satisfait de notre aide ?',
    },
    es: {
      subject: '[{{ticket.code}}] ¿Cómo lo hemos hecho?',
      text: 'Hola, {{requester.name}}:\n\nSu solicitud **{{ticket.subject}}** está resuelta. ¿Está satisfecho con nuestra ayuda?',
    },
    it: {
      subject: '[{{ticket.code}}] Come ci siamo comportati?',
      text: 'Buongiorno {{requester.name}},\n\nla sua richiesta **{{ticket.subject}}** è stata risolta. È soddisfatto del nostro aiuto?',
    },
  },
});
