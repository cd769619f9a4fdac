import { languageOf } from '../document/quote-words';

/** What a customer is told on the page and in the mail. */
const english = {
  lead: '{seller} has sent you this quote.',
  open: 'Open the quote',
  download: 'Download as PDF',
  accept: 'Accept this quote',
  name: 'Your name',
  email: 'Your e-mail address',
  confirm: 'I accept this quote as it stands.',
  acceptButton: 'Accept',
  reject: 'Decline this quote',
  reason: 'What is the reason?',
  rejectButton: 'Decline',
  accepted: 'This quote was accepted on {day}.',
  rejected: 'This quote was declined on {day}.',
  expired: 'This quote expired on {day}.',
  cancelled: 'This quote was withdrawn on {day}.',
};

export type CustomerWords = Readonly<typeof english>;

const byLanguage: Readonly<Record<string, CustomerWords>> = {
  en: english,
  de: {
    lead: '{seller} hat Ihnen dieses Angebot gesendet.',
    open: 'Angebot öffnen',
    download: 'Als PDF herunterladen',
    accept: 'Angebot annehmen',
    name: 'Ihr Name',
    email: 'Ihre E-Mail-Adresse',
    confirm: 'Ich nehme dieses Angebot unverändert an.',
    acceptButton: 'Annehmen',
    reject: 'Angebot ablehnen',
    reason: 'Aus welchem Grund?',
    rejectButton: 'Ablehnen',
    accepted: 'Dieses Angebot wurde am {day} angenommen.',
    rejected: 'Dieses Angebot wurde am {day} abgelehnt.',
    expired: 'Dieses Angebot ist am {day} abgelaufen.',
    cancelled: 'Dieses Angebot wurde am {day} zurückgezogen.',
  },
  fr: {
    lead: '{seller} vous a envoyé ce devis.',
    open: 'Ouvrir le devis',
    download: 'Télécharger en PDF',
    accept: 'Accepter ce devis',
    name: 'Votre nom',
    email: 'Votre adresse e-mail',
    confirm: 'J’accepte ce devis tel quel.',
    acceptButton: 'Accepter',
    reject: 'Refuser ce devis',
    reason: 'Pour quelle raison ?',
    rejectButton: 'Refuser',
    accepted: 'Ce devis a été accepté le {day}.',
    rejected: 'Ce devis a été refusé le {day}.',
    expired: 'Ce devis a expiré le {day}.',
    cancelled: 'Ce devis a été retiré le {day}.',
  },
  es: {
    lead: '{seller} le ha enviado este presupuesto.',
    open: 'Abrir el presupuesto',
    download: 'Descargar en PDF',
    accept: 'Aceptar este presupuesto',
    name: 'Su nombre',
    email: 'Su dirección de correo electrónico',
    confirm: 'Acepto este presupuesto tal como está.',
    acceptButton: 'Aceptar',
    reject: 'Rechazar este presupuesto',
    reason: '¿Por qué motivo?',
    rejectButton: 'Rechazar',
    accepted: 'Este presupuesto se aceptó el {day}.',
    rejected: 'Este presupuesto se rechazó el {day}.',
    expired: 'Este presupuesto caducó el {day}.',
    cancelled: 'Este presupuesto se retiró el {day}.',
  },
  it: {
    lead: '{seller} le ha inviato questo preventivo.',
    open: 'Apri il preventivo',
    download: 'Scarica in PDF',
    accept: 'Accetta questo preventivo',
    name: 'Il suo nome',
    email: 'Il suo indirizzo e-mail',
    confirm: 'Accetto questo preventivo così com’è.',
    acceptButton: 'Accetta',
    reject: 'Rifiuta questo preventivo',
    reason: 'Per quale motivo?',
    rejectButton: 'Rifiuta',
    accepted: 'Questo preventivo è stato accettato il {day}.',
    rejected: 'Questo preventivo è stato rifiutato il {day}.',
    expired: 'Questo preventivo è scaduto il {day}.',
    cancelled: 'Questo preventivo è stato ritirato il {day}.',
  },
};

/** The words of a locale's language; English where there are none. */
export function customerWords(locale: string): CustomerWords {
  return byLanguage[languageOf(locale)] ?? english;
}
