import { ownProviders } from '../../src/areas/integrations/provider-table';
import { configSchemaOf } from '../../src/platform/openapi/config-schema';

const schemaOf = (key: string) =>
  configSchemaOf(ownProviders.find((provider) => provider.key === key)?.config ?? Object);

it('shows the bounds that installations are checked by, what is a secret, and what is required', () => {
  expect(schemaOf('webhook')).toEqual({
    type: 'object',
    properties: {
      url: { type: 'string', title: 'URL', format: 'uri', maxLength: 2_048 },
      secret: {
        type: 'string',
        title: 'Signing secret',
        description: 'Key of `X-Service-Signature`: hex HMAC-SHA256 of the body.',
        minLength: 24,
        maxLength: 256,
        pattern: '^[\\x21-\\x7e]+$',
        writeOnly: true,
      },
    },
    required: ['url', 'secret'],
    additionalProperties: false,
  });
});

it('shows lists, enumerations, formats and defaults', () => {
  const { properties, required } = schemaOf('smtp');
  expect(properties).toMatchObject({
    host: { type: 'string', format: 'mail-host', maxLength: 253 },
    port: { type: 'integer', minimum: 1, maximum: 65_535 },
    security: { type: 'string', enum: ['tls', 'starttls', 'opportunistic'], default: 'tls' },
    from_address: { type: 'string', format: 'email', maxLength: 254 },
    from_name: { type: 'string', maxLength: 100, default: '' },
    recipients: {
      type: 'array',
      items: { type: 'string', format: 'email', maxLength: 254 },
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
    },
    send_replies: { type: 'boolean', default: true },
  });
  expect(required).toEqual(['host', 'from_address']);
});

it('is empty where there is nothing to set yet', () => {
  expect(schemaOf('jira')).toEqual({ type: 'object', properties: {}, required: [], additionalProperties: false });
});
