import type { INestApplicationContext } from '@nestjs/common';
import { ChannelsService } from '../../areas/channels/channels.service';
import { Inbound } from '../../areas/channels/inbound/inbound.service';
import { MessagesService } from '../../areas/channels/messages.service';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';

/** Ids, lowest first. */
const CHANNELS = 'SELECT c.id FROM channels c WHERE c.workspace_id = $1 ORDER BY c.id';

/** A channel of the people of a new demo workspace, one of a web shop whose customers write in, and the chat on its pages. */
export async function addDemoChannels(app: INestApplicationContext): Promise<void> {
  const channels = app.get(ChannelsService);
  await channels.create({ type: 'internal', name: 'Front desk', topic: 'Who does what today' });
  const settings = { secret: 'demo-secret-of-24-characters' };
  const shop = { name: 'Web shop', direction: 'inbound', auto_create_ticket: false, config: settings } as const;
  await channels.create({ type: 'api', ...shop });
  const site = { allowed_origins: ['https://www.example.com'], greeting: 'How can we help you?' };
  await channels.create({ type: 'webchat', name: 'Chat of the web shop', config: site });
  const [desk, outside] = await app.get(Database).query<{ id: number }>(CHANNELS, [currentWorkspaceId()]);
  const open = outside && (await channels.open(outside.id));
  if (!desk || !open) return;
  const messages = app.get(MessagesService);
  await messages.create({
    channel_id: desk.id,
    body: 'The replacement for the printer on the second floor comes at ten.',
  });
  const told = {
    conversation: 'order-4711',
    reply_to: null,
    subject: null,
    message_type: 'text',
    sent_at: null,
  } as const;
  const from = { email: 'kim@customer.example', name: 'Kim' };
  for (const [index, body] of ['Where is my parcel?', 'It should have been here on Monday.'].entries())
    await app.get(Inbound).take(open, {
      kind: 'message',
      ...told,
      from,
      body,
      external_message_id: `shop-${index + 1}`,
      in_reply_to: null,
    });
}
