import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { EventDispatcher } from '../events/event-dispatcher';
import { Areas } from './areas';

/** Hands events to the consumers of the areas, in the order of the areas. */
@Injectable()
export class AreaConsumers implements OnModuleInit {
  constructor(
    private readonly areas: Areas,
    private readonly dispatcher: EventDispatcher,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    for (const consumer of this.areas.each(({ consumers }) => consumers))
      this.dispatcher.register(this.modules.get(consumer, { strict: false }));
  }
}
