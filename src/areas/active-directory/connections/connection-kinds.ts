import type { Provider } from '../../../platform/area/provider';
import { FlagSetting, TextSetting } from '../../../platform/area/settings';
import { GraphConfig } from '../graph/graph-config';
import { LdapConfig, ldapProblem } from '../ldap/ldap-config';

/** Settings of a directory whose objects are sent to us. */
export class JsonConfig {
  @TextSetting({
    title: 'Where it comes from',
    description: 'For people: the script, or the machine, that sends it.',
    max: 200,
  })
  sent_by?: string;

  @FlagSetting({ title: 'Photos', description: 'They become the pictures of users.' })
  photos = true;
}

/** Settings of a directory whose client speaks SCIM to us. */
export class ScimConfig {
  @TextSetting({
    title: 'Who speaks to us',
    description: 'For people: Entra ID, Okta, or whatever else has the token.',
    max: 200,
  })
  client?: string;

  @FlagSetting({ title: 'Photos', description: 'They become the pictures of users.' })
  photos = true;
}

/** What a connection can be made to, and what it sets. */
export interface ConnectionKind extends Pick<Provider, 'name' | 'config'> {
  /** What is wrong with settings that their class takes; null = nothing. */
  problem?(config: Readonly<Record<string, unknown>>): { field: string; message: string } | null;
  /** Whether runs read the directory; of the others somebody sends the objects. */
  reads: boolean;
  /** Whether that is done by `POST /active-directory/import`. */
  isPushed: boolean;
  /** What users that come of it name as their source. */
  source: 'ad' | 'scim';
}

export const KINDS = {
  json: { name: 'JSON', config: JsonConfig, reads: false, isPushed: true, source: 'ad' },
  ldap: { name: 'LDAP', config: LdapConfig, reads: true, isPushed: false, source: 'ad', problem: ldapProblem },
  entra_id: { name: 'Entra ID', config: GraphConfig, reads: true, isPushed: false, source: 'ad' },
  scim: { name: 'SCIM', config: ScimConfig, reads: false, isPushed: false, source: 'scim' },
} satisfies Record<string, ConnectionKind>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES: readonly KindName[] = ['json', 'ldap', 'entra_id', 'scim'];
