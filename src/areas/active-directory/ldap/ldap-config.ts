import { FilterParser } from 'ldapts';
import { EnumSetting, FlagSetting, HostSetting, IntegerSetting, TextSetting } from '../../../platform/area/settings';

const MAX_DN = 2_048;

/** The name of an attribute of the directory. */
const AttributeName = (title: string): PropertyDecorator =>
  TextSetting({ title, min: 1, max: 100, pattern: /^[A-Za-z][A-Za-z0-9-]*$/ });

const FilterText = (title: string, description: string): PropertyDecorator =>
  TextSetting({ title, description, min: 3, max: 4_000, pattern: /^\(.*\)$/s });

/** Settings of an LDAP server; the defaults are those of Active Directory. */
export class LdapConfig {
  @HostSetting({ title: 'Server', description: 'The name that its certificate has.', required: true })
  host: string;

  @IntegerSetting({ title: 'Port', description: '636 with `ldaps`, else 389, unless given.', min: 1, max: 65_535 })
  port?: number;

  @EnumSetting(['ldaps', 'starttls'], {
    title: 'Encryption',
    description:
      'From the first byte, or from StartTLS on. Without, nothing is sent; the certificate is always checked.',
  })
  tls: 'ldaps' | 'starttls' = 'ldaps';

  @TextSetting({
    title: 'Certificates of its authority',
    description: 'PEM; those that everybody trusts unless given.',
    max: 100_000,
    pattern: /-----BEGIN CERTIFICATE-----/,
  })
  ca?: string;

  @TextSetting({
    title: 'Who signs in',
    description: 'DN, or user principal name.',
    required: true,
    min: 1,
    max: MAX_DN,
  })
  bind_dn: string;

  @TextSetting({ title: 'Password', required: true, secret: true, min: 1, max: 1_024 })
  bind_password: string;

  @TextSetting({ title: 'Below which entry', description: '`DC=acme,DC=example`', required: true, min: 3, max: MAX_DN })
  base_dn: string;

  @FilterText('Which entries are people', 'RFC 4515.')
  user_filter = '(&(objectCategory=person)(objectClass=user))';

  @FilterText('Which entries are groups', 'RFC 4515.')
  group_filter = '(objectClass=group)';

  @AttributeName('What never changes')
  attribute_guid = 'objectGUID';

  @AttributeName('Name to sign in with')
  attribute_username = 'sAMAccountName';

  @AttributeName('E-mail address')
  attribute_email = 'mail';

  @AttributeName('User principal name')
  attribute_upn = 'userPrincipalName';

  @AttributeName('Name')
  attribute_display_name = 'displayName';

  @AttributeName('First name')
  attribute_first_name = 'givenName';

  @AttributeName('Last name')
  attribute_last_name = 'sn';

  @AttributeName('Title')
  attribute_title = 'title';

  @AttributeName('Department')
  attribute_department = 'department';

  @AttributeName('Phone')
  attribute_phone = 'telephoneNumber';

  @AttributeName('Mobile phone')
  attribute_mobile = 'mobile';

  @AttributeName('Manager')
  attribute_manager = 'manager';

  @AttributeName('Office')
  attribute_office = 'physicalDeliveryOfficeName';

  @FlagSetting({ title: 'Photos', description: 'They become the pictures of users.' })
  photos = true;

  @AttributeName('Photo')
  attribute_photo = 'thumbnailPhoto';

  @AttributeName('Members of a group')
  attribute_member = 'member';

  @IntegerSetting({ title: 'Entries of a page', min: 5, max: 1_000 })
  page_size = 500;

  @IntegerSetting({ title: 'Seconds to wait for an answer', min: 1, max: 300 })
  timeout_seconds = 30;
}

/** A filter that cannot be read; null when both can be. */
export function ldapProblem(config: Readonly<Record<string, unknown>>): { field: string; message: string } | null {
  for (const field of ['user_filter', 'group_filter']) {
    try {
      FilterParser.parseString(String(config[field]));
    } catch {
      return { field: `config.${field}`, message: `"config.${field}" is no LDAP filter (RFC 4515).` };
    }
  }
  return null;
}
