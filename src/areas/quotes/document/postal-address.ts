/** A postal address as companies keep it. */
export interface Address {
  line1?: string | null;
  line2?: string | null;
  city?: string | null;
  state?: string | null;
  postal_code?: string | null;
  /** ISO 3166-1 alpha-2. */
  country?: string | null;
}

/** Countries that write the postal code behind the city and state. */
const CODE_LAST = ['US', 'CA', 'GB', 'IE', 'AU', 'NZ', 'IN'];

/** The lines of an address as they stand on an envelope; the country, in English, comes last. */
export function addressLines(address: Address | null): string[] {
  if (!address) return [];
  const { line1, line2, city, state, postal_code: code, country } = address;
  const place = CODE_LAST.includes(country ?? '')
    ? [[city, state].filter(Boolean).join(', '), code]
    : [code, city, state === city ? null : state];
  const name = country ? (new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country) : null;
  return [line1, line2, place.filter(Boolean).join(' '), name].filter((line): line is string => Boolean(line?.trim()));
}
