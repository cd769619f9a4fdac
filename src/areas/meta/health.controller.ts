import { Controller, Get, Inject } from '@nestjs/common';
import {
  ApiExcludeEndpoint,
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import { Public } from '../../platform/auth/public.decorator';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../platform/context/runtime-config';
import { HealthReport, HealthService } from '../../platform/health/health.service';
import { fail } from '../../platform/errors/api-error';
import { PREFIX } from '../../platform/http/openapi';
import { TakesFamily } from '../../platform/http/query-parameters';
import { UnwrappedResult } from '../../platform/http/results';
import { EnumMember, MomentMember, TextMember } from '../../platform/http/answer-members';

/** Who watches appends what it likes, against caches on the way: it is answered all the same. */
const ANY = '';

/** Answer of `GET /health`. */
export class Health extends HealthReport {
  @TextMember()
  version: string;

  @MomentMember()
  time: string;
}

/** Answer of `GET /ready`. */
export class Readiness {
  @EnumMember(['ready'])
  status: 'ready';
}

@ApiTags('Meta')
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  @TakesFamily(ANY)
  @Get('health')
  @ApiOperation({
    operationId: 'getHealth',
    summary: 'Health of the service',
    description: 'Always 200 while the process lives. Needs no token and counts towards no limit.',
    security: [],
  })
  @ApiOkResponse({ description: 'The service lives; `status` tells how well.', type: Health })
  read(): UnwrappedResult {
    const { status, checks, reasons }: HealthReport = this.health.report();
    return new UnwrappedResult({
      status,
      version: this.config.version,
      time: new Date().toISOString(),
      checks,
      reasons,
    });
  }

  @TakesFamily(ANY)
  @Get(`${PREFIX.slice(1)}/ready`)
  @ApiOperation({
    operationId: 'getReady',
    summary: 'Whether this process should get requests',
    description: 'For orchestrators and load balancers. Also at `/ready`, outside /v1.',
    security: [],
  })
  @ApiOkResponse({ description: 'Ready.', type: Readiness })
  @ApiServiceUnavailableResponse({
    description: 'PostgreSQL is away, migrations are pending, or the process is ending.',
    schema: { $ref: '#/components/schemas/Error' },
  })
  readyBelowBase(): UnwrappedResult {
    return this.ready();
  }

  @TakesFamily(ANY)
  @Get('ready')
  @ApiExcludeEndpoint()
  ready(): UnwrappedResult {
    const reason = this.health.notReadyBecause();
    return reason === null
      ? new UnwrappedResult({ status: 'ready' })
      : fail('service_unavailable', reason, { headers: { 'Retry-After': '1' } });
  }
}
