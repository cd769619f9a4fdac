import { defineMail } from '../../../platform/mail/texts/mail-kind';

/** Brings a report to those who want it; its totals stand below the text, its rows are in the file. */
export const reportMail = defineMail({
  key: 'report',
  description: 'Brings a scheduled report to its recipients.',
  variables: {
    'report.name': { description: 'Name of the schedule.', example: 'Promises' },
    'report.window': {
      description: 'First and last day, and the zone.',
      example: '2027-03-01 to 2027-03-07 (Europe/Berlin)',
    },
    'report.rows': { description: 'Rows of the file.', example: '12' },
  },
  texts: {
    en: {
      subject: '{{report.name}}: {{report.window}}',
      text: '{{report.window}}\n\nRows in the attached file: {{report.rows}}.',
    },
    de: {
      subject: '{{report.name}}: {{report.window}}',
      text: '{{report.window}}\n\nZeilen der angehängten Datei: {{report.rows}}.',
    },
    fr: {
      subject: '{{report.name}}: {{report.window}}',
      text: '{{report.window}}\n\nLignes du fichier joint : {{report.rows}}.',
    },
    es: {
      subject: '{{report.name}}: {{report.window}}',
      text: '{{report.window}}\n\nFilas del archivo adjunto: {{report.rows}}.',
    },
    it: {
      subject: '{{report.name}}: {{report.window}}',
      text: '{{report.window}}\n\nRighe del file allegato: {{report.rows}}.',
    },
  },
});
