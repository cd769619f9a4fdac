/** What an attribute of a resource is (RFC 7643, section 7). */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference' | 'dateTime';
  readonly description: string;
  readonly multi?: boolean;
  /** Upper and lower case differ. */
  readonly exact?: boolean;
  readonly required?: boolean;
  /** Clients do not write it. */
  readonly readOnly?: boolean;
  readonly unique?: boolean;
  readonly always?: boolean;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly refers?: readonly string[];
  readonly sub?: readonly Attribute[];
}

/** Attributes under one URN. */
export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** Users or groups: what they have, and where they are. */
export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly kind: 'user' | 'group';
  readonly schema: Schema;
  readonly extension: Schema | null;
  /** The attribute that every one has. */
  readonly naming: 'userName' | 'displayName';
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  ...{ name, type: 'string', description },
  ...more,
});

/** The members that values of lists have (RFC 7643, section 2.4). */
function listed(
  name: string,
  description: string,
  values: readonly string[],
  more: Partial<Attribute> = {},
): Attribute {
  return {
    ...{ name, type: 'complex', multi: true, description },
    sub: [
      text('value', 'The value itself.', more),
      text('display', 'For people.'),
      text('type', 'What it is for.', values.length > 0 ? { values } : {}),
      { name: 'primary', type: 'boolean', description: 'Whether it is the first one to use.' },
    ],
  };
}

const NAME: Attribute = {
  ...{ name: 'name', type: 'complex', description: 'The parts of the name.' },
  sub: [
    text('formatted', 'The whole name.'),
    text('familyName', 'Surname.'),
    text('givenName', 'Given name.'),
    text('middleName', 'Further given names.'),
    text('honorificPrefix', 'Title before the name.'),
    text('honorificSuffix', 'What follows the name.'),
  ],
};

const ADDRESSES: Attribute = {
  ...{ name: 'addresses', type: 'complex', multi: true, description: 'Postal addresses.' },
  sub: [
    text('formatted', 'All of it.', { max: 1_024 }),
    ...['streetAddress', 'locality', 'region', 'postalCode', 'country'].map((name) => text(name, 'A part of it.')),
    text('type', 'What it is for.', { values: ['work', 'home', 'other'] }),
    { name: 'primary', type: 'boolean', description: 'Whether it is the first one to use.' },
  ],
};

const reference = (refers: readonly string[], readOnly = true): Attribute => ({
  ...{ name: '$ref', type: 'reference', description: 'Its address.', refers, exact: true, max: 2_048, readOnly },
});

/** What every resource has (RFC 7643, section 3.1). */
export const COMMON: readonly Attribute[] = [
  text('id', 'Given by this service; never changes.', { readOnly: true, exact: true, always: true, unique: true }),
  text('externalId', 'What the client knows it by.', { exact: true }),
  {
    ...{ name: 'meta', type: 'complex', description: 'What is known about the resource.', readOnly: true },
    sub: [
      text('resourceType', 'User or Group.', { readOnly: true, exact: true }),
      { name: 'created', type: 'dateTime', description: 'When it was made.', readOnly: true },
      { name: 'lastModified', type: 'dateTime', description: 'When it last changed.', readOnly: true },
      { ...reference(['uri']), name: 'location' },
      text('version', 'Its entity tag.', { readOnly: true, exact: true }),
    ],
  },
];

const USER_SCHEMA: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'Somebody.',
  attributes: [
    text('userName', 'What they sign in with; unique, case aside.', { required: true, unique: true }),
    NAME,
    text('displayName', 'The name that others see.'),
    text('nickName', 'What they are called.'),
    { name: 'profileUrl', type: 'reference', description: 'A page about them.', refers: ['external'], max: 2_048 },
    text('title', 'What they do.'),
    text('userType', 'Employee, contractor…'),
    text('preferredLanguage', 'As Accept-Language has it.'),
    text('locale', 'As BCP 47 has it.'),
    text('timezone', 'As the IANA database has it.'),
    { name: 'active', type: 'boolean', description: 'Whether they may work. False takes their access away.' },
    listed('emails', 'E-mail addresses.', ['work', 'home', 'other']),
    listed('phoneNumbers', 'Phone numbers.', ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
    {
      ...listed('photos', 'Addresses of pictures, or small pictures themselves (`data:`).', ['photo', 'thumbnail'], {
        max: 32_768,
      }),
    },
    ADDRESSES,
    {
      ...{
        name: 'groups',
        type: 'complex',
        multi: true,
        readOnly: true,
        description: 'Groups that they are a member of.',
      },
      sub: [
        text('value', 'Id of the group.', { readOnly: true, exact: true }),
        { ...reference(['Group']) },
        text('display', 'Name of the group.', { readOnly: true }),
        text('type', 'Always direct.', { readOnly: true, values: ['direct', 'indirect'] }),
      ],
    },
    listed('roles', 'Roles of the client. Kept, and nothing more: what groups are decides the role here.', []),
  ],
};

const ENTERPRISE_SCHEMA: Schema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'Somebody in an organisation.',
  attributes: [
    ...['employeeNumber', 'costCenter', 'organization', 'division', 'department'].map((name) =>
      text(name, 'As the organisation has it.'),
    ),
    {
      ...{ name: 'manager', type: 'complex', description: 'Whom they report to.' },
      sub: [
        text('value', 'Id of a user.', { exact: true }),
        reference(['User'], false),
        text('displayName', 'Their name.', { readOnly: true }),
      ],
    },
  ],
};

const GROUP_SCHEMA: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'People and groups. What its members are here is said by the mappings of the connection.',
  attributes: [
    text('displayName', 'Its name.', { required: true }),
    {
      ...{ name: 'members', type: 'complex', multi: true, description: 'Its members.' },
      sub: [
        text('value', 'Id of a user or group.', { exact: true, required: true }),
        { ...reference(['User', 'Group']) },
        text('display', 'Name of the member.', { readOnly: true }),
        text('type', 'User or Group.', { readOnly: true, values: ['User', 'Group'] }),
      ],
    },
  ],
};

export const USERS: ResourceType = {
  ...{ name: 'User', endpoint: '/Users', kind: 'user', naming: 'userName' },
  ...{ schema: USER_SCHEMA, extension: ENTERPRISE_SCHEMA },
};
export const GROUPS: ResourceType = {
  ...{ name: 'Group', endpoint: '/Groups', kind: 'group', naming: 'displayName' },
  ...{ schema: GROUP_SCHEMA, extension: null },
};
export const TYPES: readonly ResourceType[] = [USERS, GROUPS];
export const SCHEMAS: readonly Schema[] = [USER_SCHEMA, GROUP_SCHEMA, ENTERPRISE_SCHEMA];
export const ENTERPRISE = ENTERPRISE_SCHEMA.id;

/** What a body says under a name, case aside (RFC 7643, section 2.1). */
export function saidUnder(body: Readonly<Record<string, unknown>>, name: string): unknown {
  const wanted = name.toLowerCase();
  return Object.entries(body).find(([each]) => each.toLowerCase() === wanted)?.[1];
}

/** An attribute by its name, case aside (RFC 7643, section 2.1). */
export function attributeOf(attributes: readonly Attribute[], name: string): Attribute | null {
  const wanted = name.toLowerCase();
  return attributes.find((each) => each.name.toLowerCase() === wanted) ?? null;
}
