import { invalid } from '../../../platform/errors/api-error';
import type { Alongside } from '../../../platform/resource/write-plan';
import type { ItemAmounts } from '../amounts/quote-totals';
import type { NewQuoteItem } from './quote-item.dto';

/** An item of a body with everything that it left out. */
export type WholeItem = Required<NewQuoteItem>;

/** Columns of an item that a new quote brings along, with their SQL types. */
const COLUMNS = {
  position: 'integer',
  sku: 'text',
  name: 'text',
  description: 'text',
  quantity: 'numeric',
  unit: 'text',
  unit_price: 'numeric',
  discount_percent: 'numeric',
  tax_rate: 'numeric',
  custom_fields: 'jsonb',
  subtotal: 'numeric',
  discount: 'numeric',
  tax: 'numeric',
  total: 'numeric',
} as const;

/** Refuses items of a body that lack what every item has; what is there was checked with the body. */
export function requireWhole(items: readonly Partial<NewQuoteItem>[]): void {
  for (const [index, item] of items.entries()) {
    for (const name of ['name', 'unit_price'] as const) {
      const field = `items.${index}.${name}`;
      if (item[name] === undefined) invalid(field, 'required', `${field} is required.`);
    }
  }
}

/** Completes an item of a body. */
export function completed(item: Partial<NewQuoteItem> & Pick<NewQuoteItem, 'name' | 'unit_price'>): WholeItem {
  const { sku, name, description, quantity, unit, unit_price, discount_percent, tax_rate, custom_fields } = item;
  return {
    sku: sku ?? null,
    name,
    description: description ?? null,
    quantity: quantity ?? 1,
    unit: unit ?? null,
    unit_price,
    discount_percent: discount_percent ?? 0,
    tax_rate: tax_rate ?? 0,
    custom_fields: custom_fields ?? {},
  };
}

/** Writes items in the statement that creates their quote; positions count from 1. */
export function itemsAlongside(items: readonly WholeItem[], amounts: readonly ItemAmounts[]): Alongside {
  const rows = items.map((item, index) => Object.assign({}, item, amounts[index], { position: index + 1 }));
  const names = Object.keys(COLUMNS);
  const types = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`);
  return (bind) =>
    `items AS (INSERT INTO quote_items (workspace_id, quote_id, ${names.join(', ')})
       SELECT $1, t.id, ${names.map((name) => `v.${name}`).join(', ')}
       FROM t, jsonb_to_recordset(${bind(JSON.stringify(rows))}::jsonb) AS v(${types.join(', ')}) ORDER BY v.position)`;
}
