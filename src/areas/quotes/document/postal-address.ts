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
