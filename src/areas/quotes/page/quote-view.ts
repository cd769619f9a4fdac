import { html, type Html } from '../../../platform/http/html';
import { publicPage } from '../../../platform/http/public-page';
import type { FileResult } from '../../../platform/http/results';
import type { DocumentRow, QuoteDocument } from '../document/quote-document';
import { filled, languageOf } from '../document/quote-words';
import { isOpen } from '../quote-status';
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
}

/** The page of a quote; with the forms to answer it while it is open. */
export function quoteView({ document, status, day, path }: QuoteView): FileResult {
  const { words, seller, title, number, locale } = document;
  const customer = customerWords(locale);
  const content = html`
    <p class="quiet">${filled(customer.lead, { seller })}</p>
    ${outcome(status, day, customer)}
    <table>
      <tbody>
        ${document.facts.map(
          ([label, value]) =>
            html`<tr>
              <th scope="row">${label}</th>
              <td>${value}</td>
            </tr>`,
        )}
        ${
          document.recipient.length > 0 &&
          html`<tr>
            <th scope="row">${words.to}</th>
            <td>${lines(document.recipient)}</td>
          </tr>`
        }
      </tbody>
    </table>
    <h2>${title}</h2>
    ${paragraph(document.header)} ${items(document)} ${document.remarks.map((text) => paragraph(text))}
    ${
      document.notes !== null &&
      html`<h2>${words.notes}</h2>
        ${paragraph(document.notes)}`
    }
    ${
      document.terms !== null &&
      html`<h2>${words.terms}</h2>
        ${paragraph(document.terms)}`
    }
    <p><a class="button" href="${path}/pdf">${customer.download}</a></p>
    ${isOpen(status) && forms(path, customer)} ${paragraph(document.footer, 'quiet')}
  `;
  return publicPage(`${words.quote} ${number}`, content, 200, languageOf(locale));
}

function outcome(status: QuoteStatus, day: string | null, words: CustomerWords): Html | false {
  if (day === null || status === 'draft' || status === 'sent' || status === 'viewed') return false;
  return html`<p class="notice" role="status"><strong>${filled(words[status], { day })}</strong></p>`;
}

function items({ words, columns, rows, sums }: QuoteDocument): Html {
  const span = 3 + (columns.discount ? 1 : 0) + (columns.tax ? 1 : 0);
  const number = (title: string): Html => html`<th scope="col" class="number">${title}</th>`;
  return html`<table class="items">
    <thead>
      <tr>
        <th scope="col">${words.item}</th>
        ${number(words.quantity)} ${number(words.unitPrice)} ${columns.discount && number(words.discount)}
        ${columns.tax && number(words.tax)} ${number(words.amount)}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => item(row, columns, words))}
    </tbody>
    <tfoot>
      ${sums.map(
        ([label, value], index) =>
          html`<tr>
            <th scope="row" colspan="${span}" class="number">${label}</th>
            <td class="number">${index === sums.length - 1 ? html`<strong>${value}</strong>` : value}</td>
          </tr>`,
      )}
    </tfoot>
  </table>`;
}

function item(row: DocumentRow, columns: QuoteDocument['columns'], words: QuoteDocument['words']): Html {
  // Where the screen is narrow a row is a list, and each value has its title beside it.
  const number = (value: string, title: string): Html => html`<td class="number" data-label="${title}">${value}</td>`;
  return html`<tr>
    <td>
      <strong>${row.name}</strong
      >${row.details.map((text) => html`<br /><span class="quiet">${lines(text.split('\n'))}</span>`)}
    </td>
    ${number(row.quantity, words.quantity)} ${number(row.unitPrice, words.unitPrice)}
    ${columns.discount && number(row.discount, words.discount)} ${columns.tax && number(row.tax, words.tax)}
    ${number(row.amount, words.amount)}
  </tr>`;
}

function forms(path: string, words: CustomerWords): Html {
  return html`
    <form method="post" action="${path}/accept">
      <fieldset>
        <legend>${words.accept}</legend>
        <label>${words.name} <input type="text" name="name" required maxlength="255" autocomplete="name" /></label>
        <label>${words.email} <input type="email" name="email" required maxlength="254" autocomplete="email" /></label>
        <label><input type="checkbox" name="confirm" value="yes" required /> ${words.confirm}</label>
        <button>${words.acceptButton}</button>
      </fieldset>
    </form>
    <form method="post" action="${path}/reject">
      <fieldset>
        <legend>${words.reject}</legend>
        <label>${words.reason} <textarea name="reason" required maxlength="2000" rows="3"></textarea></label>
        <button class="second">${words.rejectButton}</button>
      </fieldset>
    </form>
  `;
}

function paragraph(text: string | null, kind = ''): Html | false {
  return text !== null && text.trim() !== '' && html`<p class="${kind}">${lines(text.split('\n'))}</p>`;
}

function lines(texts: readonly string[]): Html[] {
  return texts.map((text, index) => (index === 0 ? html`${text}` : html`<br />${text}`));
}
