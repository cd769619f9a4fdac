import { ValidateBy } from 'class-validator';
import type { Target } from './clock-types';

/** Every priority has a target. */
export const PRIORITIES = ['urgent', 'high', 'medium', 'low'] as const;

/** Ten years. */
const MAX_MINUTES = 5_256_000;
const FIELDS = ['first_response_minutes', 'next_response_minutes', 'resolution_minutes'] as const;

/** The first thing wrong with targets, as a text that follows the name of the field; null when they are right. */
export function targetsProblem(value: unknown): string | null {
  if (!isObject(value)) return 'must be an object with urgent, high, medium and low';
  const unknown = Object.keys(value).find((key) => !(PRIORITIES as readonly string[]).includes(key));
  if (unknown !== undefined) return `must name only the priorities ${PRIORITIES.join(', ')}`;
  for (const priority of PRIORITIES) {
    const problem = targetProblem(value[priority]);
    if (problem !== null) return `.${priority} ${problem}`;
  }
  return null;
}

/** The property holds the targets of a policy. */
export function IsTargets(): PropertyDecorator {
  return ValidateBy({
    name: 'isTargets',
    validator: {
      validate: (value: unknown) => targetsProblem(value) === null,
      defaultMessage: (args) => `${args?.property ?? ''}${spaced(targetsProblem(args?.value) ?? '')}`,
    },
  });
}

function targetProblem(value: unknown): string | null {
  if (value === undefined) return 'is required';
  if (!isObject(value)) return 'must be an object';
  const unknown = Object.keys(value).find((key) => !(FIELDS as readonly string[]).includes(key));
  if (unknown !== undefined) return `must have only ${FIELDS.join(', ')}`;
  const missing = FIELDS.find((field) => field !== 'next_response_minutes' && value[field] === undefined);
  if (missing !== undefined) return `must have ${missing}`;
  const wrong = FIELDS.find((field) => (value[field] ?? null) !== null && !isMinutes(value[field]));
  if (wrong !== undefined) return `must have a ${wrong} that is a whole number from 1 to ${MAX_MINUTES}`;
  if (value.first_response_minutes === null || value.resolution_minutes === null) return 'must have no empty target';
  const { first_response_minutes: first, resolution_minutes: resolution } = value as unknown as Target;
  return first <= resolution ? null : 'must not allow the first response more time than the resolution';
}

const isMinutes = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_MINUTES;

const spaced = (text: string): string => (text.startsWith('.') ? text : ` ${text}`);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
