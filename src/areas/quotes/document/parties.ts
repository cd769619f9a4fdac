import type { CustomerField } from '../../../platform/resource/customer-fields';
import type { Address } from './postal-address';

/** Who a quote is from and to, and how its document writes. */
export interface Parties {
  seller: string;
  company: string | null;
  tax_id: string | null;
  contact: string | null;
  email: string | null;
  address: Address | null;
  /** BCP 47 tag of numbers and days. */
  locale: string;
  /** IANA zone of its days. */
  timezone: string;
  /** Custom fields that customers are shown; a quote that was sent before there were any has none. */
  fields?: readonly CustomerField[];
}
