import { defineResource } from '../../../platform/resource/resource';
import { MeetingType } from './meeting-type.entity';

export const meetingTypeResource = defineResource(MeetingType, {
  name: 'meeting_types',
  singular: 'meeting_type',
  table: 'meeting_types',
  sort: {
    name: { column: 'name', type: 'text' },
    duration_minutes: { column: 'duration_minutes', type: 'integer' },
  },
  defaultSort: 'name',
  filter: ['slug', 'is_active', 'scheduling'],
  search: { view: 'meeting_types_search', over: ['name', 'slug', 'description', 'texts of custom_fields'] },
  counters: [],
  notice: { path: '/meetings/types', title: ['name'] },
});
