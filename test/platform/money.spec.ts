import fc from 'fast-check';
import { ApiError } from '../../src/platform/errors/api-error';
import { fromMinorUnits, isCurrency, minorDigits, requireWholeMinorUnits } from '../../src/platform/money/currency';
import { thrownBy } from '../support/thrown-by';

it('knows the minor unit of each currency', () => {
  expect(['EUR', 'USD', 'JPY', 'KWD'].map(minorDigits)).toEqual([2, 2, 0, 3]);
  // Where prices are written without: CLDR has 0, 0, 0, 0 and 0.
  expect(['HUF', 'COP', 'IDR', 'PKR', 'IQD'].map(minorDigits)).toEqual([2, 2, 2, 2, 3]);
  expect(['EUR', 'eur', 'XYZ', ''].map(isCurrency)).toEqual([true, false, false, false]);
});

it('writes whole minor units with as many decimals as the currency has', () => {
  fc.assert(
    fc.property(
      fc.bigInt(-(10n ** 14n), 10n ** 14n),
      fc.constantFrom('EUR', 'JPY', 'KWD', 'USD'),
      (minor, currency) => {
        const text = fromMinorUnits(minor, currency);
        expect(BigInt(text.replace('.', ''))).toBe(minor);
        expect(text.split('.')[1]?.length ?? 0).toBe(minorDigits(currency));
      },
    ),
  );
});

it('refuses what no coin pays', () => {
  expect(thrownBy(() => requireWholeMinorUnits('value', 0.5, 'JPY'), ApiError)).toMatchObject({
    type: 'validation_error',
  });
  expect(thrownBy(() => requireWholeMinorUnits('value', 1.999, 'EUR'), ApiError)).toMatchObject({
    type: 'validation_error',
  });
  for (const [amount, currency] of [
    [1.99, 'EUR'],
    [1.999, 'KWD'],
    [5, 'JPY'],
    [null, 'JPY'],
  ] as const) {
    expect(() => requireWholeMinorUnits('value', amount, currency)).not.toThrow();
  }
});
