import { TextSetting } from '../../../platform/area/settings';
import type { Reception, SignedRequest } from './adapter';
import { forged, hmac, isSame } from './telling';

/** Settings that all products of Meta have in common. */
export class GraphConfig {
  @TextSetting({
    title: 'App secret',
    description: 'Of the app; signs what it tells.',
    min: 16,
    max: 256,
    required: true,
    secret: true,
    stays: true,
  })
  app_secret: string;

  @TextSetting({
    title: 'Verify token',
    description: 'As it stands in the settings of the webhook.',
    min: 8,
    max: 256,
    required: true,
    secret: true,
    stays: true,
  })
  verify_token: string;

  @TextSetting({ title: 'Access token', min: 8, max: 1_024, secret: true })
  access_token?: string;
}

/** https://developers.facebook.com/docs/graph-api/webhooks/getting-started: the question whether this is the right place, and signatures. */
export function verified(
  { method, query, headers, body }: SignedRequest,
  { app_secret, verify_token }: GraphConfig,
): Reception | null {
  if (method === 'GET') {
    const challenge = query['hub.challenge'];
    const isAsked = query['hub.mode'] === 'subscribe' && isSame(query['hub.verify_token'], verify_token);
    if (!isAsked || typeof challenge !== 'string' || !/^[\w-]{1,200}$/.test(challenge))
      return forged('hub.verify_token');
    return { kind: 'answer', type: 'text/plain; charset=utf-8', text: challenge };
  }
  const expected = `sha256=${hmac('sha256', app_secret, body).toString('hex')}`;
  return isSame(headers['x-hub-signature-256'], expected) ? null : forged('X-Hub-Signature-256');
}
