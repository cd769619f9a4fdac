import { defineMail } from '../../../platform/mail/texts/mail-kind';

/** Brings a quote to its recipient; its sums and the button to its page stand below the text. */
export const quoteMail = defineMail({
  key: 'quote',
  fieldsOf: 'quote',
  description: 'Brings a quote that was sent to its recipient.',
  variables: {
    'quote.number': { description: 'Number of the quote.', example: 'QUO-000123' },
    'quote.title': { description: 'Title of the quote.', example: 'Printers for the third floor' },
    'quote.valid_until': { description: 'Last day on which it is good.', example: '31 March 2027' },
    'recipient.name': { description: 'Name of the contact; the address where there is none.', example: 'Paul Weber' },
    'workspace.name': { description: 'Who offers.', example: 'Acme Support' },
  },
  texts: {
    en: {
      subject: 'Quote {{quote.number}}: {{quote.title}}',
      text: '{{workspace.name}} has sent you this quote. Read it, accept it or decline it online.',
    },
    de: {
      subject: 'Angebot {{quote.number}}: {{quote.title}}',
      text: '{{workspace.name}} hat Ihnen dieses Angebot gesendet. Sie können es online lesen, annehmen oder ablehnen.',
    },
    fr: {
      subject: 'Devis {{quote.number}}: {{quote.title}}',
      text: '{{workspace.name}} vous a envoyé ce devis. Vous pouvez le lire, l’accepter ou le refuser en ligne.',
    },
    es: {
      subject: 'Presupuesto {{quote.number}}: {{quote.title}}',
      text: '{{workspace.name}} le ha enviado este presupuesto. Puede leerlo, aceptarlo o rechazarlo en línea.',
    },
    it: {
      subject: 'Preventivo {{quote.number}}: {{quote.title}}',
      text: '{{workspace.name}} le ha inviato questo preventivo. Può leggerlo, accettarlo o rifiutarlo online.',
    },
  },
});
