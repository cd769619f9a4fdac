import { type Brand, type BrandLogo, shownWebsite } from '../../../platform/brand/brand';
import { paletteOf } from '../../../platform/brand/colour';
import type { ItemRow } from '../quote-intake';
import { quoteAmounts } from '../amounts/quote-money';
import type { Discount, QuoteStatus, TaxMode } from '../quote-values';
import { type Formats, formatsOf } from './formats';
import type { Parties } from './parties';
import { addressLines } from './postal-address';
import { filled, type Words, wordsOf } from './quote-words';

/** A quote as the document needs it: stored columns, days as `YYYY-MM-DD`. */
export interface QuoteSource {
  number: string;
  title: string;
  status: QuoteStatus;
  revision: number;
  currency: string;
  issue_date: string;
  valid_until: string;
  tax_mode: TaxMode;
  discount: Discount | null;
  header: string | null;
  terms: string | null;
  notes: string | null;
  footer: string | null;
  updated_at: string;
}

/** One line of the table. */
export interface DocumentRow {
  number: string;
  name: string;
  /** Article number and description. */
  details: string[];
  quantity: string;
  unitPrice: string;
  discount: string;
  tax: string;
  amount: string;
}

/** A quote as a customer reads it, every value as text: what the PDF and the page show. */
export interface QuoteDocument {
  words: Words;
  locale: string;
  number: string;
  title: string;
  isDraft: boolean;
  seller: string;
  /** Where the seller is to be found, line by line. */
  sellerLines: string[];
  /** Colour of what stands out, dark enough for white paper. */
  accent: string;
  /** Stands for the seller's name; null where that is written. */
  logo: BrandLogo | null;
  recipient: string[];
  facts: (readonly [label: string, value: string])[];
  /** Custom fields that customers are shown. */
  fields: (readonly [label: string, value: string])[];
  header: string | null;
  /** Whether any item has a discount of its own, or is taxed. */
  columns: { discount: boolean; tax: boolean };
  rows: DocumentRow[];
  /** The last one is what is to be paid. */
  sums: (readonly [label: string, value: string])[];
  /** What the total contains. */
  remarks: string[];
  terms: string | null;
  notes: string | null;
  footer: string | null;
  /** Of the last change, ISO 8601. */
  changedAt: string;
}

/** Writes a quote out. Its amounts are worked out anew from its items, by the function that the stored ones come from. */
export function quoteDocument(
  quote: QuoteSource,
  items: readonly ItemRow[],
  parties: Parties,
  brand: Brand,
): QuoteDocument {
  const words = wordsOf(parties.locale);
  const formats = formatsOf(parties.locale, quote.currency);
  const amounts = quoteAmounts(items, quote.discount, quote.tax_mode, quote.currency);
  const included = quote.tax_mode === 'inclusive';
  const taxes = amounts.taxes
    .filter(({ rate }) => rate > 0)
    .map(({ rate, net, tax }) => ({ rate: formats.percent(rate), net: formats.money(net), tax: formats.money(tax) }));
  const { price, share, total } = amounts.totals;
  return {
    words,
    locale: parties.locale,
    number: quote.number,
    title: quote.title,
    isDraft: quote.status === 'draft',
    seller: parties.seller,
    sellerLines: [...(brand.address?.split('\n') ?? []), shownWebsite(brand.website) ?? ''].filter(
      (line) => line.trim() !== '',
    ),
    accent: paletteOf(brand.color).link,
    logo: brand.logo,
    recipient: recipientLines(parties, words),
    facts: facts(quote, words, formats),
    fields: (parties.fields ?? []).map(({ label, value }) => [label, value] as const),
    header: quote.header,
    columns: {
      discount: items.some(({ discount_percent }) => discount_percent > 0),
      tax: items.some(({ tax_rate }) => tax_rate > 0),
    },
    rows: items.map((item, index) => row(item, index, amounts.lines[index]?.price ?? 0n, formats)),
    sums: [
      ...(share > 0n || (!included && taxes.length > 0) ? [[words.subtotal, formats.money(price)] as const] : []),
      ...(share > 0n ? [[discountLabel(quote.discount, words, formats), formats.money(-share)] as const] : []),
      ...(included ? [] : taxes.map((tax) => [filled(words.taxAt, tax), tax.tax] as const)),
      [words.total, formats.money(total)],
    ],
    remarks:
      included && taxes.length > 0
        ? [words.pricesWithTax, ...taxes.map((tax) => `${filled(words.taxIn, tax)}: ${tax.tax}`)]
        : [],
    terms: quote.terms,
    notes: quote.notes,
    footer: quote.footer,
    changedAt: quote.updated_at,
  };
}

function facts(quote: QuoteSource, words: Words, formats: Formats): (readonly [string, string])[] {
  return [
    [words.number, quote.number],
    ...(quote.revision > 1 ? [['', filled(words.revision, { n: quote.revision })] as const] : []),
    [words.date, formats.day(quote.issue_date)],
    [words.validUntil, formats.day(quote.valid_until)],
  ];
}

function recipientLines({ company, contact, email, address, tax_id }: Parties, words: Words): string[] {
  const lines = [
    company,
    contact,
    ...addressLines(address),
    email,
    tax_id === null ? null : filled(words.taxId, { id: tax_id }),
  ];
  return lines.filter((line): line is string => line !== null && line.trim() !== '');
}

function row(item: ItemRow, index: number, price: bigint, formats: Formats): DocumentRow {
  return {
    number: String(index + 1),
    name: item.name,
    details: [item.sku, item.description].filter((text): text is string => text !== null && text.trim() !== ''),
    quantity: [formats.number(item.quantity), item.unit].filter(Boolean).join(' '),
    unitPrice: formats.price(item.unit_price),
    discount: item.discount_percent > 0 ? formats.percent(item.discount_percent) : '',
    tax: formats.percent(item.tax_rate),
    amount: formats.plain(price),
  };
}

function discountLabel(discount: Discount | null, words: Words, formats: Formats): string {
  return discount?.type === 'percent' ? `${words.discount} ${formats.percent(discount.value)}` : words.discount;
}
