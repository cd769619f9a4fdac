import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Areas } from '../../../platform/area/areas';
import type { ActionExecutor } from '../../../platform/area/rules';

/** The types of action that exist in this installation, each with what performs it. */
@Injectable()
export class ActionExecutors implements OnModuleInit {
  private readonly executors = new Map<string, ActionExecutor>();

  constructor(
    private readonly areas: Areas,
    private readonly modules: ModuleRef,
  ) {}

  /** @throws Error when an action that an area declares has no executor, or two */
  onModuleInit(): void {
    const performers = this.areas.each(({ performers: declared }) => declared);
    const found = performers.flatMap((performer) => this.modules.get(performer, { strict: false }).executors);
    for (const { type, kind } of this.areas.each(({ actions }) => actions)) {
      const own = found.filter((executor) => executor.type === type);
      const executor: ActionExecutor | undefined = kind === 'flow' ? { type, kind: 'stop' } : own[0];
      if (!executor || own.length > 1 || this.executors.has(type))
        throw new Error(`The action "${type}" must be declared once and have one executor, and has ${own.length}.`);
      this.executors.set(type, executor);
    }
  }

  get(type: string): ActionExecutor | undefined {
    return this.executors.get(type);
  }

  /** Types that rules about this kind of record may use, in alphabetical order. */
  types(object: string): string[] {
    const fits = ({ objects }: ActionExecutor): boolean => objects === undefined || objects.includes(object);
    return [...this.executors.values()]
      .filter(fits)
      .map(({ type }) => type)
      .sort();
  }
}
