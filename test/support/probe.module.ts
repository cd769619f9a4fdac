import { Body, Controller, Get, HttpCode, Module, Patch, Post, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiQuery } from '@nestjs/swagger';
import { Type as Nested } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsOptional, IsString, MaxLength, Min, ValidateNested } from 'class-validator';
import { currentWorkspaceId } from '../../src/platform/context/current';
import { Database } from '../../src/platform/database/database';
import { fail } from '../../src/platform/errors/api-error';
import { Id } from '../../src/platform/http/id';
import { ListResult, SingleResult } from '../../src/platform/http/results';

class ProbePart {
  @ApiProperty()
  @IsString()
  name: string;
}

/** A body with every kind of rule. */
export class ProbeBody {
  @ApiProperty()
  @IsString()
  @MaxLength(20)
  subject: string;

  @ApiProperty()
  @IsInt()
  @Min(1)
  count: number;

  @ApiPropertyOptional({ enum: ['low', 'high'] })
  @IsOptional()
  @IsIn(['low', 'high'])
  priority?: string;

  @ApiPropertyOptional({ type: [ProbePart] })
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Nested(() => ProbePart)
  parts?: ProbePart[];
}

/** What the probes did, for the tests to look at. */
export const probeLog: string[] = [];

/** Routes that a test of the platform can steer, so that it needs no area. */
@Controller('probes')
class ProbeController {
  constructor(private readonly database: Database) {}

  @Get()
  list(): ListResult {
    const links = { first: '/v1/probes?page=1', next: '/v1/probes?page=2', prev: null, last: '/v1/probes?page=2' };
    return new ListResult('[{"id":1}]', 26, 25, 0, links);
  }

  @Get(':id')
  @ApiQuery({ name: 'q', required: false })
  read(@Id() id: number): SingleResult {
    if (id === 500) throw new Error('password=hunter2 at /srv/secret.ts');
    if (id === 404) fail('not_found', 'There is no such record.');
    return new SingleResult(JSON.stringify({ id }), '"7"');
  }

  /** Writes in the unit of work; the subject says how it ends. */
  @Post()
  @ApiQuery({ name: 'fields', required: false })
  async create(@Body() body: ProbeBody): Promise<SingleResult> {
    const name = `${body.subject} ${body.count}`;
    await this.database.transaction(async () => {
      await this.database.query(`UPDATE workspaces SET locale = locale || '+' WHERE id = $1`, [currentWorkspaceId()]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (body.subject === 'fail') fail('conflict', 'As asked.');
      if (body.subject === 'break') throw new Error('As asked.');
    });
    probeLog.push(name);
    return new SingleResult(JSON.stringify({ id: probeLog.length, name }), `"${probeLog.length}"`, 201, undefined, {
      Location: `/v1/probes/${probeLog.length}`,
    });
  }

  @Patch(':id')
  update(@Id() id: number, @Body() body: ProbeBody): SingleResult {
    return new SingleResult(JSON.stringify({ id, subject: body.subject }), '"8"');
  }

  @Post(':id/act')
  @HttpCode(200)
  act(@Id() id: number): SingleResult {
    return new SingleResult(JSON.stringify({ id }), '"9"');
  }

  @Post(':id/slow')
  @HttpCode(200)
  async slow(@Id() id: number): Promise<object> {
    probeLog.push(`slow ${id} began`);
    await new Promise((resolve) => setTimeout(resolve, 400));
    return { id };
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

/** To be passed as `modules` when an application is created. */
export const probeModules: Type[] = [ProbeModule];
