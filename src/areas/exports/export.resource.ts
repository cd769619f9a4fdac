import { defineResource } from '../../platform/resource/resource';
import { Export } from './export.entity';

export const exportResource = defineResource(Export, {
  name: 'exports',
  singular: 'export',
  table: 'exports',
  sort: {},
  filter: ['status'],
});
