import { defineMail } from '../../platform/mail/texts/mail-kind';
import { mailOfTicket } from '../tickets/ticket-mail-variables';

/** What agents write, with what a workspace wants around it. */
export const replyMail = defineMail({
  key: 'reply',
  fieldsOf: 'ticket',
  description: 'Carries a public comment to whoever wrote in by mail.',
  variables: {
    ...mailOfTicket,
    message: {
      description: 'The comment.',
      example:
        'Please **restart** it:\n\n1. Hold the button for ten seconds\n2. Wait for the light\n\nDoes it still happen then?',
      isMarkdown: true,
      required: true,
    },
  },
  texts: { en: { subject: 'Re: [{{ticket.code}}] {{ticket.subject}}', text: '{{message}}' } },
});

export const receivedMail = defineMail({
  key: 'ticket_received',
  fieldsOf: 'ticket',
  description:
    'Tells whoever wrote in that the ticket is there, where the workspace wants it (`mail_ticket_received`).',
  variables: mailOfTicket,
  texts: {
    en: {
      subject: '[{{ticket.code}}] We have your request',
      text: 'Hello {{requester.name}},\n\nthank you for writing. Your request **{{ticket.subject}}** is with us, and somebody will get back to you.\n\nIf there is anything to add, simply answer this mail.',
    },
    de: {
      subject: '[{{ticket.code}}] Wir haben Ihre Anfrage erhalten',
      text: 'Guten Tag {{requester.name}},\n\nvielen Dank für Ihre Nachricht. Ihre Anfrage **{{ticket.subject}}** ist bei uns angekommen; wir melden uns bei Ihnen.\n\nMöchten Sie etwas ergänzen, antworten Sie einfach auf diese E-Mail.',
    },
    fr: {
      subject: '[{{ticket.code}}] Nous avons reçu votre demande',
      text: 'Bonjour {{requester.name}},\n\nmerci pour votre message. Votre demande **{{ticket.subject}}** nous est bien parvenue ; nous reviendrons vers vous.\n\nPour la compléter, répondez simplement à cet e-mail.',
    },
    es: {
      subject: '[{{ticket.code}}] Hemos recibido su solicitud',
      text: 'Hola, {{requester.name}}:\n\nGracias por escribirnos. Hemos recibido su solicitud **{{ticket.subject}}** y nos pondremos en contacto con usted.\n\nSi desea añadir algo, responda a este correo.',
    },
    it: {
      subject: '[{{ticket.code}}] Abbiamo ricevuto la sua richiesta',
      text: 'Buongiorno {{requester.name}},\n\ngrazie per averci scritto. Abbiamo ricevuto la sua richiesta **{{ticket.subject}}** e la contatteremo.\n\nPer aggiungere qualcosa, risponda a questa e-mail.',
    },
  },
});

export const resolvedMail = defineMail({
  key: 'ticket_resolved',
  fieldsOf: 'ticket',
  description:
    'Tells the requester that the ticket is resolved, where the workspace wants it (`mail_ticket_resolved`).',
  variables: mailOfTicket,
  texts: {
    en: {
      subject: '[{{ticket.code}}] Your request is resolved',
      text: 'Hello {{requester.name}},\n\nwe have resolved your request **{{ticket.subject}}**. If it is not, answer this mail, and we take it up again.',
    },
    de: {
      subject: '[{{ticket.code}}] Ihre Anfrage ist gelöst',
      text: 'Guten Tag {{requester.name}},\n\nwir haben Ihre Anfrage **{{ticket.subject}}** gelöst. Sollte noch etwas offen sein, antworten Sie auf diese E-Mail; dann kümmern wir uns weiter darum.',
    },
    fr: {
      subject: '[{{ticket.code}}] Votre demande est résolue',
      text: 'Bonjour {{requester.name}},\n\nvotre demande **{{ticket.subject}}** est résolue. Si ce n’est pas le cas, répondez à cet e-mail et nous la reprendrons.',
    },
    es: {
      subject: '[{{ticket.code}}] Su solicitud está resuelta',
      text: 'Hola, {{requester.name}}:\n\nHemos resuelto su solicitud **{{ticket.subject}}**. Si no es así, responda a este correo y la retomaremos.',
    },
    it: {
      subject: '[{{ticket.code}}] La sua richiesta è risolta',
      text: 'Buongiorno {{requester.name}},\n\nabbiamo risolto la sua richiesta **{{ticket.subject}}**. Se non fosse così, risponda a questa e-mail e la riprenderemo.',
    },
  },
});
