import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { CreateMacro, UpdateMacro } from './macro.dto';
import { Macro } from './macro.entity';
import { macroResource } from './macro.resource';
import { MacrosService } from './macros.service';

@ApiTags('Macros')
@Controller('macros')
export class MacrosController {
  constructor(
    @InjectStore(Macro) private readonly records: Store<Macro>,
    private readonly macros: MacrosService,
  ) {}

  @ListRoute(macroResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(macroResource)
  create(@Body() body: CreateMacro): Promise<SingleResult> {
    return this.macros.create(body);
  }

  @ReadRoute(macroResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(macroResource)
  update(@Id() id: number, @Body() body: UpdateMacro, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.macros.update(id, body, expected);
  }

  @DeleteRoute(macroResource)
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.remove(id, expected);
  }
}
