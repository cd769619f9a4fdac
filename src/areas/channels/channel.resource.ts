import type { Sight } from '../../platform/context/principal';
import { defineResource } from '../../platform/resource/resource';
import { Channel } from './channel.entity';

export const channelResource = defineResource(Channel, {
  name: 'channels',
  singular: 'channel',
  table: 'channels',
  told: { created: 'channel.created', updated: 'channel.updated', deleted: 'channel.archived' },
  sort: { name: { column: 'name', type: 'text' } },
  filter: ['type', 'status', 'team_id', 'is_private'],
  search: { view: 'channels_search', over: ['name', 'topic', 'address', 'texts of custom_fields'] },
  expand: { team: { one: 'teams', by: 'team_id' } },
  notice: { path: '/teams/channels', title: ['name'] },
  sight: { rows: seenChannels },
});

/** Private channels are for their members; those of a team, for who sees no more than the tickets of their own, as well. */
function seenChannels({ reach, readsAll }: Sight, channel: string): string | null {
  const isMember = `{me} = ANY(${channel}.member_ids)`;
  const open: string[] = [];
  if (!readsAll) open.push(`NOT ${channel}.is_private`);
  if (reach !== 'all') open.push(`(${channel}.team_id IS NULL OR ${channel}.team_id = ANY({teams}))`);
  return open.length === 0 ? null : `((${open.join(' AND ')}) OR ${isMember})`;
}
