import { CreateChannels1766600000000 } from '../../../migrations/1766600000000-create-channels';
import { CountAndTemplateMessages1768502000000 } from '../../../migrations/1768502000000-count-and-template-messages';
import { MessagesLeaveInParts1768975000000 } from '../../../migrations/1768975000000-messages-leave-in-parts';
import { PartsHaveNames1768991000000 } from '../../../migrations/1768991000000-parts-have-names';
import { defineArea } from '../../platform/area/area';
import { changesOf, wholeRecord } from '../../platform/events/event-domain';
import { channelResource } from './channel.resource';
import { channelsPersonal } from './channels.personal';
import { ChannelsModule } from './channels.module';
import { messageResource } from './message.resource';
import { RatingInvitations } from './outbound/rating-invitations';
import { CommentReplies } from './outbound/comment-replies';
import { threadResource } from './thread.resource';

/** What people say to a workspace, and to each other in it: channels, conversations, messages. */
export const channelsArea = defineArea({
  name: 'channels',
  module: ChannelsModule,
  resources: [channelResource, threadResource, messageResource],
  migrations: [
    CreateChannels1766600000000,
    CountAndTemplateMessages1768502000000,
    MessagesLeaveInParts1768975000000,
    PartsHaveNames1768991000000,
  ],
  permissions: [
    { name: 'channels.read', description: 'See channels, conversations and messages.', from: 'light_agent' },
    { name: 'channels.write', description: 'Write in channels, and work on conversations.', from: 'light_agent' },
    { name: 'channels.moderate', description: 'Change and delete what others have written.', from: 'supervisor' },
    { name: 'channels.receive', description: 'Hand in what was received elsewhere.', from: 'admin' },
    { name: 'channels.create', description: 'Add channels.', from: 'admin' },
    { name: 'channels.update', description: 'Change and try channels.', from: 'admin' },
    { name: 'channels.delete', description: 'Delete channels.', from: 'admin' },
  ],
  personal: channelsPersonal,
  events: {
    domain: 'channel',
    label: 'Channels',
    events: {
      'channel.created': 'A channel was created.',
      'channel.updated': 'A channel was changed; `changes` names the fields.',
      'channel.archived': 'A channel was deleted; it stays to be read.',
      ...changesOf('channel_thread', 'A conversation'),
      'channel_thread.read':
        'Somebody has read a conversation further; `data.read` says who, and as far as which position.',
      'channel_thread.message_added': 'Something was said in a conversation; `data.message` holds it.',
      'channel_thread.message_updated': 'Something of a message changed: its text, how far it has come, a reaction.',
      'channel_thread.message_deleted': 'A message was deleted.',
      'channel_thread.message_failed': 'A message could not be sent; `data.message` says why.',
    },
    aliases: {
      'message.created': 'channel_thread.message_added',
      'message.updated': 'channel_thread.message_updated',
      'message.deleted': 'channel_thread.message_deleted',
      'message.failed': 'channel_thread.message_failed',
    },
    beside: {
      'channel_thread.read': { read: { user_id: 12, position: 7 } },
      'channel_thread.message_added': { message: wholeRecord('channel_message') },
      'channel_thread.message_updated': { message: { id: 17, status: 'delivered' } },
      'channel_thread.message_deleted': {
        message: { id: 17, author_type: 'agent', author_id: 12, author_name: 'Ada Lovelace' },
      },
      'channel_thread.message_failed': {
        message: { id: 17, error: { code: 'http_400', message: 'The number has no such service.' } },
      },
    },
  },
  consumers: [CommentReplies, RatingInvitations],
  tags: [
    {
      name: 'Channels',
      place: 55,
      description: 'What people say to a workspace, and to each other in it: channels, conversations, messages.',
    },
  ],
  // The first channel of the demo is among its people.
  examples: {
    'teams.channels.inbound': { id: 2 },
    'teams.channels.inboundAddress.get': { id: 2 },
    'teams.channels.widget.get': { id: 3 },
  },
});
