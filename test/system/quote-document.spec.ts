import { quoteDocument, type QuoteSource } from '../../src/areas/quotes/document/quote-document';
import { quotePdf } from '../../src/areas/quotes/document/quote-pdf';
import type { ItemRow } from '../../src/areas/quotes/quote-intake';
import { NO_BRAND } from '../../src/platform/brand/brand';
import { useApp } from '../support/app';
import type { Fields } from '../support/api';
import { infoOf, pagesOf } from '../support/poppler';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp({ role: 'api' });
const sql = useSql();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const source: QuoteSource = {
  number: 'QUO-000123',
  title: 'Printers for the Berlin office',
  status: 'sent',
  revision: 2,
  currency: 'EUR',
  issue_date: '2026-11-21',
  valid_until: '2026-12-21',
  tax_mode: 'exclusive',
  discount: { type: 'percent', value: 10 },
  header: 'Thank you for asking.',
  terms: 'Payment within 30 days.',
  notes: null,
  footer: 'Northwind, Torstraße 1',
  updated_at: '2026-11-21T10:00:00.000Z',
};
const parties = {
  seller: 'Northwind Services',
  company: 'Acme GmbH',
  tax_id: 'DE811234567',
  contact: 'Paul Weber',
  email: 'paul@acme.example',
  address: { line1: 'Torstrasse 1', postal_code: '10119', city: 'Berlin', country: 'DE' },
  locale: 'en',
  timezone: 'UTC',
};
const item = (index: number, more: Partial<ItemRow> = {}): ItemRow => ({
  id: index,
  position: index,
  sku: `S-${index}`,
  name: `Printer ${index}`,
  description: null,
  quantity: 2,
  unit: 'pcs',
  unit_price: 1249.9,
  discount_percent: 0,
  tax_rate: 19,
  custom_fields: {},
  subtotal: 0,
  discount: 0,
  tax: 0,
  total: 0,
  ...more,
});
const draw = (
  quote: Partial<QuoteSource>,
  items: readonly ItemRow[] = [item(1)],
  who: Partial<typeof parties> = {},
): Promise<Buffer> => quotePdf(quoteDocument({ ...source, ...quote }, items, { ...parties, ...who }, NO_BRAND));
const text = async (...args: Parameters<typeof draw>): Promise<string> => pagesOf(await draw(...args)).join('\n');
const squeezed = (page: string): string => page.replace(/[ \u00A0]+/g, ' ');

describe('the document', () => {
  it('says who offers what to whom, until when, for how much', async () => {
    const pdf = await draw({}, [
      item(1, { discount_percent: 5 }),
      item(2, { tax_rate: 7, description: 'With two trays.' }),
    ]);
    const [page = '', ...more] = pagesOf(pdf).map(squeezed);
    expect(more).toEqual([]);
    for (const part of [
      'Northwind Services',
      'Quote',
      'QUO-000123',
      'Revision 2',
      'November 21, 2026',
      'December 21, 2026',
      'Acme GmbH',
      'Paul Weber',
      'Torstrasse 1',
      '10119 Berlin',
      'Germany',
      'paul@acme.example',
      'Tax ID DE811234567',
      'Printers for the Berlin office',
      'Thank you for asking.',
      'Item Quantity Unit price Discount Tax Amount',
      '1 Printer 1 2 pcs 1,249.90 5% 19% 2,374.81',
      '2 Printer 2 2 pcs 1,249.90 7% 2,499.80',
      'With two trays.',
      'Subtotal €4,874.61',
      'Discount 10% -€487.46',
      'Tax 7% on €2,249.82 €157.49',
      'Tax 19% on €2,137.33 €406.09',
      'Total €4,950.73',
      'Payment within 30 days.',
      'Northwind, Torstraße 1',
      'Page 1 of 1',
    ])
      expect(page).toContain(part);
    expect(infoOf(pdf)).toMatchObject({ Title: 'Quote QUO-000123', Author: 'Northwind Services', Pages: '1' });
    expect(infoOf(pdf)['Page size']).toContain('A4');
  });

  it('is drawn the same, byte for byte', async () => {
    expect((await draw({})).equals(await draw({}))).toBe(true);
    expect((await draw({})).equals(await draw({ title: 'Other' }))).toBe(false);
  });

  it('repeats the head of its table on each page and counts its pages', async () => {
    const pages = pagesOf(
      await draw(
        {},
        Array.from({ length: 200 }, (_, index) => item(index + 1)),
      ),
    );
    expect(pages.length).toBeGreaterThan(5);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
      if (/Printer \d+/.test(page)) expect(squeezed(page)).toContain('Item Quantity Unit price');
      if (index > 0) expect(page).toContain('Quote QUO-000123');
    }
    const found = new Set([...pages.join('\n').matchAll(/Printer (\d+)/g)].map(([, number]) => Number(number)));
    expect(found).toEqual(new Set(Array.from({ length: 200 }, (_, index) => index + 1)));
    expect(squeezed(pages.slice(-2).join('\n'))).toContain('Total €');
  });

  it('writes as the workspace does', async () => {
    const page = squeezed(await text({ status: 'draft' }, [item(1)], { locale: 'de-DE' }));
    for (const part of [
      'Angebot',
      'ENTWURF',
      'Gültig bis',
      '21. Dezember 2026',
      '1.249,90',
      '2.499,80',
      'USt. 19 % auf',
      'Seite 1 von 1',
    ])
      expect(page).toContain(part);
    expect(await text({ status: 'sent' }, [item(1)], { locale: 'de-DE' })).not.toContain('ENTWURF');
    expect(squeezed(await text({ currency: 'JPY', discount: null }, [item(1)], { locale: 'no such' }))).toContain(
      'Total ¥2,975',
    );
  });

  it('names the tax that prices contain', async () => {
    const page = squeezed(
      await text({ tax_mode: 'inclusive', discount: null }, [item(1, { unit_price: 119, quantity: 1 })]),
    );
    for (const part of ['Total €119.00', 'Prices include tax.', 'Includes 19% tax on €100.00: €19.00'])
      expect(page).toContain(part);
    expect(page).not.toContain('Subtotal');
  });

  it('has text in Latin, Greek and Cyrillic that can be selected, and owns up to the rest', async () => {
    const page = await text({ title: 'Żółw, Εκτυπωτής, Принтер' }, [item(1, { name: 'Řeřicha ţară ő' })]);
    expect(page).toContain('Żółw, Εκτυπωτής, Принтер');
    expect(page).toContain('Řeřicha ţară ő');
    expect(page).not.toContain('not in the fonts');
    const marked = squeezed(await text({ title: 'Drucker \u{1F5A8}\u{1F600}\u1820' }));
    expect(marked).toContain('Drucker \uFFFD\uFFFD\uFFFD');
    expect(marked).toContain('Some characters of this quote are not in the fonts');
  });

  // What runs from right to left is expected as its words stand on the paper, from left to right.
  it.each([
    ['Chinese', '激光打印机 LaserJet', '激光打印机 LaserJet'],
    ['Chinese as in Taiwan', '印表機報價單', '印表機報價單'],
    ['Japanese', 'レーザープリンターの見積書', 'レーザープリンターの見積書'],
    ['Korean', '레이저 프린터 견적서', '레이저 프린터 견적서'],
    ['Hebrew with Latin and numbers', 'מדפסת HP 400 ב־1,249.90', '1,249.90 ב־HP 400 מדפסת'],
    ['Arabic with Latin', 'طابعة HP', 'HP طابعة'],
  ])('has text in %s that can be read, and drawn the same again', async (_name, name, shown) => {
    const pdf = await draw({ title: 'Printers' }, [item(1, { name })]);
    expect((await draw({ title: 'Printers' }, [item(1, { name })])).equals(pdf)).toBe(true);
    const page = squeezed(
      pagesOf(pdf)
        .join('')
        .replaceAll(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, ''),
    );
    expect(page).toContain(shown);
    expect(page).not.toContain('not in the fonts');
  });

  it.each([
    ['one endless word', 'W'.repeat(1_000)],
    ['nothing but line ends', '\n'.repeat(1_000)],
    ['control characters', 'a\u0000b\u0007c\u001B[31md\u202Ee\uD800f'],
    ['what looks like an instruction', '<b>x</b> {"text":"y"} %PDF endobj ) ]>> \\'],
    ['a thousand combining marks', `Z${'\u0301'.repeat(900)}`],
  ])('stands %s', async (_name, hostile) => {
    const items = [
      item(1, {
        name: hostile.slice(0, 255),
        description: hostile,
        unit: hostile.slice(0, 32),
        sku: hostile.slice(0, 64),
      }),
    ];
    const quote = {
      title: hostile.slice(0, 255),
      header: hostile,
      terms: hostile,
      notes: hostile,
      footer: hostile.slice(0, 500),
    };
    const pages = pagesOf(await draw(quote, items, { seller: hostile.slice(0, 100), company: hostile.slice(0, 255) }));
    expect(squeezed(pages.join('\n'))).toContain('Total');
    expect(pages.length).toBeLessThan(12);
  });
});

describe('GET /quotes/{id}/pdf', () => {
  const send = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.url}/v1${path}`, {
      headers: { authorization: `Bearer ${workspace.token}`, ...headers },
    });
    return { answer, pdf: Buffer.from(await answer.arrayBuffer()) };
  };
  const make = async (more: Record<string, unknown> = {}): Promise<Fields> => {
    const body = {
      title: 'Printers',
      currency: 'EUR',
      items: [{ name: 'Printer', unit_price: 99.9, tax_rate: 19 }],
      ...more,
    };
    return (await workspace.api.post('/quotes', body)).expect(201).data;
  };

  it('answers a real PDF under the name of the quote, and 304 to who has it', async () => {
    const quote = await make();
    const { answer, pdf } = await send(`/quotes/${quote.id}/pdf`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${String(quote.number)}.pdf"`);
    expect(squeezed(pagesOf(pdf).join(''))).toContain('Total €118.88');
    const etag = answer.headers.get('etag') ?? '';
    expect((await send(`/quotes/${quote.id}/pdf`, { 'if-none-match': etag })).answer.status).toBe(304);
    (await workspace.api.patch(`/quotes/${quote.id}`, { title: 'Other' })).expect(200);
    expect((await send(`/quotes/${quote.id}/pdf`, { 'if-none-match': etag })).answer.status).toBe(200);
    expect((await send('/quotes/999999999/pdf')).answer.status).toBe(404);
  });

  it('shows the parties as they are in a draft, and as they were in what was sent', async () => {
    const address = { line1: 'Old Street 1', city: 'Berlin' };
    const company = (await workspace.api.post('/companies', { name: 'Old Name', address })).expect(201).data;
    const quote = await make({ company_id: company.id, recipient_email: 'a@b.example' });
    const page = async (): Promise<string> => pagesOf((await send(`/quotes/${quote.id}/pdf`)).pdf).join('');
    expect(await page()).toContain('Old Name');
    (await workspace.api.patch(`/companies/${company.id}`, { name: 'New Name' })).expect(200);
    expect(await page()).toContain('New Name');
    (await workspace.api.post(`/quotes/${quote.id}/status`, { status: 'sent' })).expect(200);
    const sent = await send(`/quotes/${quote.id}/pdf`);
    (await workspace.api.patch(`/companies/${company.id}`, { name: 'Latest Name' })).expect(200);
    await sql.rows(`UPDATE workspaces SET name = 'Renamed' WHERE id = $1`, [workspace.id]);
    const again = await send(`/quotes/${quote.id}/pdf`);
    expect(again.pdf.equals(sent.pdf)).toBe(true);
    expect(pagesOf(again.pdf).join('')).toMatch(/New Name[^]*Old Street 1/);
  });
});
