import { OmitType, PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { Integration } from './integration.entity';

const writable = ['provider', 'name', 'status', 'config', 'events', 'external_id', 'custom_fields'] as const;

@BodyOf(Integration, writable)
export class CreateIntegration extends MembersOf(Integration, writable, ['provider']) {}

@BodyOf(Integration, writable.filter((name) => name !== 'provider'))
export class UpdateIntegration extends PartialType(OmitType(CreateIntegration, ['provider']), {
  skipNullProperties: false,
}) {}
