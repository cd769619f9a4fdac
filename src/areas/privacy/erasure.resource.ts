import { defineResource } from '../../platform/resource/resource';
import { Erasure } from './erasure.entity';

export const erasureResource = defineResource(Erasure, {
  name: 'erasures',
  singular: 'erasure',
  table: 'erasures',
  sort: {},
  filter: ['status', 'contact_id'],
});
