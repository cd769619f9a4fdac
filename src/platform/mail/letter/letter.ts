/** Something to click on. */
export interface LetterLink {
  label: string;
  url: string;
}

/** An earlier message that a mail repeats below its own. */
export interface QuotedMessage {
  author: string;
  /** ISO 8601. */
  at: string;
  /** Markdown; cut where it is long. */
  text: string;
}

/** What a mail shows besides its text. Every value is text as a person wrote it; only `text` and signatures may be Markdown. */
export interface LetterParts {
  /** Whether the text is Markdown; otherwise it is shown as written, addresses of the web as links. */
  format?: 'markdown' | 'plain';
  /** BCP 47 tag of the words around it; the workspace's locale unless given. */
  language?: string;
  /** What mail programs show beside the subject; the beginning of the text unless given. */
  preheader?: string;
  heading?: string;
  facts?: readonly (readonly [label: string, value: string])[];
  button?: LetterLink;
  /** One of which is to be chosen. */
  choices?: readonly LetterLink[];
  /** What is too large to go along. */
  files?: readonly LetterLink[];
  /** Of who wrote it; Markdown. */
  signature?: string;
  /** The workspace's signature stands below that, where it has one. */
  signed?: boolean;
  /** What it is about, e.g. a code. */
  reference?: string;
  /** Whose earlier messages stand below, e.g. `comment:12`: looked up when it leaves (`MailHistories`), so that nothing that was taken back is repeated. */
  history?: string;
  /** An answer is read in: a line at the top says where it is to stand. */
  answerable?: boolean;
}

/** A mail before it is put into a layout. */
export interface Letter extends LetterParts {
  subject: string;
  text: string;
  /** Earlier messages, newest first. */
  quoted?: readonly QuotedMessage[];
}

/** The two bodies of a mail. */
export interface LetterBodies {
  html: string;
  text: string;
}

/** What stands around an answer in a mail of ours; whatever follows that line in an answer is not the answer. */
export const ANSWER_LINE = { begin: '##-', end: '-##' } as const;

/** Name under which the mail's HTML asks for the logo (RFC 2392). */
export const LOGO_CID = 'logo@helpdesk';

/** Size of the box that the logo of a mail is shown in, in pixels. */
export const LOGO_BOX = { width: 200, height: 56 } as const;
