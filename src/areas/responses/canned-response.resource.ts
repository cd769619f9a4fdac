import { overlapFilter } from '../../platform/query/filters';
import { defineResource } from '../../platform/resource/resource';
import { sharedSight } from '../users/sharing';
import { CannedResponse } from './canned-response.entity';

export const cannedResponseResource = defineResource(CannedResponse, {
  name: 'canned_responses',
  singular: 'canned_response',
  table: 'canned_responses',
  sort: {
    title: { column: 'title', type: 'text' },
    folder: { column: 'folder', type: 'text', nullable: true },
    use_count: { column: 'use_count', type: 'bigint' },
  },
  defaultSort: 'title',
  filter: ['sharing', 'owner_id', 'folder', 'shortcut', 'ai_answers'],
  where: {
    tags: overlapFilter((alias) => `string_to_array(${alias}.tags, ',')`, 'any'),
    team_id: overlapFilter((alias) => `${alias}.team_ids`, 'any', 'bigint'),
  },
  search: {
    view: 'canned_responses_search',
    over: ['title', 'shortcut', 'folder', 'tags', 'body', 'texts of custom_fields'],
  },
  sight: sharedSight,
  expand: { owner: { one: 'users', by: 'owner_id' } },
  notice: { path: '/canned-responses', title: ['title'] },
});
