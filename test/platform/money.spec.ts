import fc from 'fast-check';
import { ApiError } from '../../src/platform/errors/api-error';
import {
  fromMinorUnits,
  isCurrency,
  minorDigits,
  requireWholeMinorUnits,
  toMinorUnits,
} from '../../src/platform/money/currency';
import { thrownBy } from '../support/thrown-by';

it('knows the minor unit of each currency', () => {
  expect(['EUR', 'USD', 'JPY', 'KWD'].map(minorDigits)).toEqual([2, 2, 0, 3]);
  expect(['EUR', 'eur', 'XYZ', ''].map(isCurrency)).toEqual([true, false, false, false]);
});

it.each([
  [12.5, 'EUR', 1250n],
  [0.1, 'EUR', 10n],
  [1.005, 'EUR', 101n],
  [2.675, 'USD', 268n],
  [-1.005, 'EUR', -101n],
  [0.5, 'JPY', 1n],
  [1.0005, 'KWD', 1001n],
])('rounds %d %s half away from zero', (amount, currency, minor) => {
  expect(toMinorUnits(amount, currency)).toBe(minor);
});

it('gives back what it was given', () => {
  fc.assert(
    fc.property(
      fc.bigInt(-(10n ** 14n), 10n ** 14n),
      fc.constantFrom('EUR', 'JPY', 'KWD', 'USD'),
      (minor, currency) => {
        const text = fromMinorUnits(minor, currency);
        expect(toMinorUnits(text, currency)).toBe(minor);
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
