import type { Brand } from '../../../platform/brand/brand';
import { publicPage } from '../../../platform/http/public-page';
import type { FileResult } from '../../../platform/http/results';
import { type Template, template } from '../../../platform/http/template';
import type { QuoteDocument } from '../document/quote-document';
import { filled, languageOf } from '../document/quote-words';
import { awaitsAnswer } from '../quote-status';
import type { QuoteStatus } from '../quote-values';
import { type CustomerWords, customerWords } from './customer-words';

/** Page on which customers read and answer quotes: `/p/quotes/{token}`. */
export const QUOTE_PAGE = 'quotes';

/** What the page tells besides the document. */
export interface QuoteView {
  document: QuoteDocument;
  status: QuoteStatus;
  /** When it got that status, in the customer's writing; null while it is open. */
  day: string | null;
  /** Path of the page, without a slash at its end. */
  path: string;
  /** Of the workspace. */
  brand: Brand;
}

const page: Template<{
  document: QuoteDocument;
  customer: CustomerWords;
  lead: string;
  /** How it was answered; null while it is open. */
  outcome: string | null;
  awaitsAnswer: boolean;
  path: string;
}> = template(__dirname, 'quote-view');

/** The page of a quote; with the forms to answer it while it is open. */
export function quoteView({ document, status, day, path, brand }: QuoteView): FileResult {
  const { words, seller, number, locale } = document;
  const customer = customerWords(locale);
  const content = page({
    ...{ document, customer, path },
    lead: filled(customer.lead, { seller }),
    outcome: outcome(status, day, customer),
    awaitsAnswer: awaitsAnswer(status),
  });
  return publicPage({ title: `${words.quote} ${number}`, content, brand, locale: languageOf(locale) });
}

function outcome(status: QuoteStatus, day: string | null, words: CustomerWords): string | null {
  if (day === null || status === 'draft' || status === 'sent' || status === 'viewed') return null;
  return filled(words[status], { day });
}
