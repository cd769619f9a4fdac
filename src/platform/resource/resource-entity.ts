import { ApiProperty } from '@nestjs/swagger';
import { Column, PrimaryGeneratedColumn } from 'typeorm';
import { recordColumn } from '../columns/column-spec';
import { flatObjectSchema, IsFlatObject } from '../columns/column-validators';
import { JsonColumn, StringColumn, TimestampColumn } from '../columns/columns';

/** What every resource has (decision 2). `workspace_id` and `version` are private. */
export abstract class ResourceEntity {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  @IdColumn()
  id: number;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @Column({ type: 'integer' })
  version: number;

  @StringColumn({
    max: 255,
    min: 1,
    nullable: true,
    description: 'Id in another system; unique per workspace and type.',
  })
  external_id: string | null;

  @JsonColumn({
    default: {},
    rules: [IsFlatObject()],
    api: { ...flatObjectSchema, description: 'Flat object, at most 50 keys.' },
  })
  custom_fields: Record<string, unknown>;

  @TimestampColumn({ readOnly: true, untold: true })
  created_at: string;

  @TimestampColumn({ readOnly: true, untold: true })
  updated_at: string;
}

function IdColumn(): PropertyDecorator {
  return (prototype, key) => {
    recordColumn(prototype, {
      name: String(key),
      kind: 'integer',
      nullable: false,
      required: false,
      default: undefined,
      readOnly: true,
      untold: true,
    });
    ApiProperty({ type: 'integer', format: 'int64', readOnly: true, example: 42 })(prototype, key);
  };
}
