import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { DECORATION } from './rate-limit.guard';

/** Refuses to start with a `@Throttle` that would not do what it says, instead of failing at the first request of its route. */
@Injectable()
export class ThrottleCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws Error that names the route and what is wrong with its limit */
  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      if (!metatype) continue;
      const prototype = metatype.prototype as Record<string, object>;
      refuseUnlessSound(metatype.name, metatype);
      for (const name of this.scanner.getAllMethodNames(prototype))
        refuseUnlessSound(`${metatype.name}.${name}`, prototype[name] ?? {});
    }
  }
}

function refuseUnlessSound(where: string, target: object): void {
  for (const key of Reflect.getMetadataKeys(target).map(String)) {
    if (!key.startsWith(DECORATION)) continue;
    const problem = problemOf(key.slice(DECORATION.length), Reflect.getMetadata(key, target));
    if (problem !== null) throw new Error(`The limit of ${where}: ${problem}.`);
  }
}

/** @param setting e.g. `TTLdefault`: the option and the name of the throttler */
function problemOf(setting: string, value: unknown): string | null {
  const [, option = '', name = ''] = /^([A-Z_]+)(.*)$/.exec(setting) ?? [];
  if (name !== 'default') return `there is no throttler "${name}", only "default"`;
  if (option === 'BLOCK_DURATION' && value !== undefined)
    return '"blockDuration" is not known; a window that slides refuses until there is room again';
  const isTime = option !== 'TTL' || value === undefined || typeof value === 'function' || Number(value) > 0;
  return isTime ? null : `"ttl" must be milliseconds above 0, not ${JSON.stringify(value)}`;
}
