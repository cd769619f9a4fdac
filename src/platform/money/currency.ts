import Big from 'big.js';
import { invalid } from '../errors/api-error';
import type { ColumnSettings } from '../columns/column-spec';
import { DecimalColumn, StringColumn } from '../columns/columns';

/** Most digits behind the point that any currency has. */
const MOST_DIGITS = 4;

/** Minor units that are not hundredths, by ISO 4217 (list one). What Node knows is how prices are written (CLDR), and changes with its version. */
const DIGITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const digitsByCurrency = new Map(Intl.supportedValuesOf('currency').map((code) => [code, 2]));
for (const [digits, codes] of Object.entries(DIGITS))
  for (const code of codes.split(' ')) digitsByCurrency.set(code, Number(digits));

/** Whether a text is the code of a currency (ISO 4217, capital letters). */
export function isCurrency(code: string): boolean {
  return digitsByCurrency.has(code);
}

/** Digits behind the point of a currency's minor unit: EUR 2, JPY 0, KWD 3 (ISO 4217). */
export function minorDigits(currency: string): number {
  return digitsByCurrency.get(currency) ?? 2;
}

/** The amount as a decimal text, e.g. 1250 of EUR is `12.50`. */
export function fromMinorUnits(minor: bigint, currency: string): string {
  const digits = minorDigits(currency);
  return new Big(minor.toString()).div(new Big(10).pow(digits)).toFixed(digits);
}

/** Refuses an amount that its currency has no coin for, e.g. 0.5 JPY. */
export function requireWholeMinorUnits(field: string, amount: number | null | undefined, currency: string): void {
  if (amount === null || amount === undefined) return;
  const digits = minorDigits(currency);
  if (!new Big(amount).round(digits).eq(amount)) {
    invalid(field, 'format', `"${field}" has more than the ${digits} decimals of ${currency}.`);
  }
}

/** Refuses what is no currency. */
export function requireCurrency(field: string, code: string): void {
  if (!isCurrency(code)) invalid(field, 'format', `"${field}" must be the ISO 4217 code of a currency, e.g. EUR.`);
}

/** ISO 4217 code in capital letters; services check it with `requireCurrency`. */
export function CurrencyColumn(settings: ColumnSettings = {}): PropertyDecorator {
  return StringColumn({
    description: 'ISO 4217 code; the currency of the workspace unless given.',
    example: 'EUR',
    ...settings,
    max: 3,
    min: 3,
    pattern: /^[A-Z]{3}$/,
    written: (code) => code.toUpperCase(),
  });
}

/** An amount of money in the currency of its record, as a decimal number, e.g. 1499.90. */
export function AmountColumn(settings: ColumnSettings & { min?: number } = {}): PropertyDecorator {
  return DecimalColumn({ min: 0, decimals: MOST_DIGITS, ...settings });
}
