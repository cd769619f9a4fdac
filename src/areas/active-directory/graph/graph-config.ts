import { FlagSetting, TextSetting, UrlSetting } from '../../../platform/area/settings';

/** Settings of a tenant of Microsoft Entra ID: an application of its own, with the permissions User.Read.All and GroupMember.Read.All. */
export class GraphConfig {
  @TextSetting({
    title: 'Tenant',
    description: 'Its id, or one of its domains.',
    required: true,
    min: 1,
    max: 255,
    pattern: /^[A-Za-z0-9][A-Za-z0-9.-]*$/,
  })
  tenant_id: string;

  @TextSetting({
    title: 'Application',
    description: 'Its client id.',
    required: true,
    min: 1,
    max: 255,
    pattern: /^[A-Za-z0-9-]+$/,
  })
  client_id: string;

  @TextSetting({ title: 'Client secret', required: true, secret: true, min: 1, max: 1_024 })
  client_secret: string;

  @FlagSetting({ title: 'Photos', description: 'They become the pictures of users.' })
  photos = true;

  @UrlSetting({
    title: 'Where it signs in',
    description:
      'National clouds have another one: https://login.microsoftonline.us, https://login.partner.microsoftonline.cn.',
  })
  login_url = 'https://login.microsoftonline.com';

  @UrlSetting({
    title: 'Microsoft Graph',
    description:
      'National clouds have another one: https://graph.microsoft.us, https://microsoftgraph.chinacloudapi.cn.',
  })
  graph_url = 'https://graph.microsoft.com';
}
