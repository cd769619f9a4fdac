import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsNumber, Max, Min } from 'class-validator';
import { IfGiven } from '../../../platform/validation/shapes';
import type { Task } from '../tasks';

const Share = (description: string): PropertyDecorator => {
  const rules = [
    ApiProperty({ type: 'number', required: false, minimum: 0, maximum: 1, description }),
    IfGiven(),
    IsNumber(),
    Min(0),
    Max(1),
  ];
  return (prototype, name) => {
    for (const rule of rules) rule(prototype, name);
  };
};

const Flag = (description: string): PropertyDecorator => {
  const rules = [ApiProperty({ type: 'boolean', required: false, description }), IfGiven(), IsBoolean()];
  return (prototype, name) => {
    for (const rule of rules) rule(prototype, name);
  };
};

/** How sure the engine must be, from 0 to 1. */
export class AiThresholds {
  @Share('Below, the models of a workspace abstain. 0.6 unless set.')
  classify?: number;

  @Share('Share of what is asked that a source must say to be suggested as an answer. 0.45 unless set.')
  suggest?: number;
}

/** What is predicted. */
export class AiTasks implements Partial<Record<Task, boolean>> {
  @Flag('Category, learnt from closed tickets.')
  category?: boolean;

  @Flag('Priority, learnt from closed tickets.')
  priority?: boolean;

  @Flag('Assignee, learnt from closed tickets.')
  assignee?: boolean;

  @Flag('Team, learnt from closed tickets.')
  team?: boolean;

  @Flag('Language, by its commonest words or its script.')
  language?: boolean;

  @Flag('Sentiment, by a list of words.')
  sentiment?: boolean;

  @Flag('Open tickets that say nearly the same.')
  duplicate?: boolean;

  @Flag('Minutes to the resolution, by tickets like it.')
  resolution_time?: boolean;
}

/** The same as plain data. */
export type Thresholds = Pick<AiThresholds, keyof AiThresholds>;
export type SwitchedTasks = Pick<AiTasks, keyof AiTasks>;

export const DEFAULT_THRESHOLDS: Required<Thresholds> = { classify: 0.6, suggest: 0.45 };

export const DEFAULT_TASKS: Record<Task, boolean> = {
  category: true,
  priority: true,
  assignee: true,
  team: true,
  language: true,
  sentiment: true,
  duplicate: true,
  resolution_time: true,
};

/** Thresholds with others in place of those that are given. */
export function thresholdsWith<T extends Thresholds>(stored: T, given: Thresholds): T {
  return { ...stored, ...given };
}

/** The same of tasks. */
export function tasksWith<T extends SwitchedTasks>(stored: T, given: SwitchedTasks): T {
  return { ...stored, ...given };
}
