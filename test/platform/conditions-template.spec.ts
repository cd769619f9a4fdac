import fc from 'fast-check';
import { FieldSet } from '../../src/platform/conditions/field-set';
import { checkTemplate, renderTemplate } from '../../src/platform/conditions/template';
import type { ErrorDetail } from '../../src/platform/errors/api-error';

const variables = new FieldSet(
  new Map([
    ['ticket.code', { type: 'text' }],
    ['company.name', { type: 'text' }],
  ]),
  new Map([['ticket.custom_fields.', { type: 'custom' }]]),
);

function problems(text: string): ErrorDetail[] {
  const found: ErrorDetail[] = [];
  checkTemplate('actions[0].body', text, variables, found);
  return found;
}

const values: Record<string, unknown> = {
  'ticket.code': 'TCK-1',
  'company.name': `<Ada & "Co">\n`,
  list: ['a', 'b'],
  n: 7,
};
const lookup = (name: string): unknown => values[name];

it('replaces variables and nothing else', () => {
  expect(renderTemplate('Re {{ticket.code}}: {{ company.name }}{{none}}|{{list}}|{{n}}', lookup)).toBe(
    'Re TCK-1: <Ada & "Co">\n|a, b|7',
  );
});

it('escapes for where the text goes', () => {
  expect(renderTemplate('{{company.name}}', lookup, 'html')).toBe('&lt;Ada &amp; &quot;Co&quot;&gt;\n');
  expect(JSON.parse(`{"name":"${renderTemplate('{{company.name}}', lookup, 'json')}"}`)).toEqual({
    name: values['company.name'],
  });
});

it('does not read what a value contains as a template', () => {
  expect(renderTemplate('{{x}}', () => '{{ticket.code}}')).toBe('{{ticket.code}}');
});

it.each([
  'plain',
  '{{ticket.code}}',
  '{{ticket.custom_fields.region}} {{company.name}}',
  'a } { b',
  '{ {ticket.zzz} }',
])('accepts %s', (text) => {
  expect(problems(text)).toEqual([]);
});

it.each([
  ['{{ticket.zzz}}', 'unknown_variable'],
  ['{{constructor}}', 'unknown_variable'],
  ['{{.}}', 'unknown_variable'],
  ['{{#ticket}}x{{/ticket}}', 'format'],
  ['{{^ticket.code}}x{{/ticket.code}}', 'format'],
  ['{{> partial}}', 'format'],
  ['{{{ticket.code}}}', 'format'],
  ['{{& ticket.code}}', 'format'],
  ['{{=<% %>=}}', 'format'],
  ['{{ticket.code', 'format'],
  ['{{#ticket}}', 'format'],
])('refuses %s', (text, code) => {
  expect(problems(text)[0]).toMatchObject({ field: 'actions[0].body', code });
});

it('refuses more than a hundred variables', () => {
  expect(problems('{{ticket.code}}'.repeat(100))).toEqual([]);
  expect(problems('{{ticket.code}}'.repeat(101))[0]?.code).toBe('max');
});

it('names the variables there are', () => {
  expect(problems('{{zzz}}')[0]?.allowed).toEqual(['ticket.code', 'company.name', 'ticket.custom_fields.<key>']);
});

it('cuts what grows without bound', () => {
  expect(renderTemplate('{{x}}'.repeat(100), () => 'y'.repeat(65_536)).length).toBe(131_072);
});

it('leaves text without braces as it is, and never throws', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const rendered = renderTemplate(text, () => 'v');
      if (!text.includes('{{')) expect(rendered).toBe(text);
      expect(problems(text).length).toBeLessThanOrEqual(1);
    }),
  );
});
