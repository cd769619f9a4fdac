import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { IdParameter } from '../../../platform/query/members';
import { Choice, IfGiven } from '../../../platform/validation/shapes';
import { type DirectoryRun, RUN_MODES } from './run.entity';

/** What is to be compared. */
export class StartRun {
  @ApiProperty({
    ...{ type: 'integer', format: 'int64', required: false, example: 1 },
    description: 'Not needed where the workspace has one connection.',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  connection_id?: number;

  @ApiProperty({
    ...{ type: 'string', enum: [...RUN_MODES], required: false, default: 'delta' },
    description:
      '`delta`: what has changed, where the directory can tell, else everything. Of a directory that is sent to us nothing is read: what is known is compared again.',
  })
  @IfGiven()
  @Choice(RUN_MODES)
  mode?: DirectoryRun['mode'];

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: false,
    description: 'Say what would change, and change nothing.',
  })
  @IfGiven()
  @IsBoolean()
  dry_run?: boolean;
}

/** Parameters of the last run. */
export class LatestRun {
  @IdParameter({ description: 'Of this connection alone.', names: 'a connection' })
  connection_id?: number;
}
