import { ValidateBy } from 'class-validator';
import { isOneOf, isRecord } from '../../platform/text/json';

/** Every priority has a target. */
export const PRIORITIES = ['urgent', 'high', 'medium', 'low'] as const;

/** Ten years. */
const MAX_MINUTES = 5_256_000;
const FIELDS = ['first_response_minutes', 'next_response_minutes', 'resolution_minutes'] as const;

/** The first thing wrong with targets, as a text that follows the name of the field; null when they are right. */
function targetsProblem(value: unknown): string | null {
  if (!isRecord(value)) return 'must be an object with urgent, high, medium and low';
  const unknown = Object.keys(value).find((key) => !isOneOf(PRIORITIES, key));
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
  if (!isRecord(value)) return 'must be an object';
  const unknown = Object.keys(value).find((key) => !isOneOf(FIELDS, key));
  if (unknown !== undefined) return `must have only ${FIELDS.join(', ')}`;
  const missing = FIELDS.find((field) => field !== 'next_response_minutes' && value[field] === undefined);
  if (missing !== undefined) return `must have ${missing}`;
  const wrong = FIELDS.find((field) => (value[field] ?? null) !== null && !isMinutes(value[field]));
  if (wrong !== undefined) return `must have a ${wrong} that is a whole number from 1 to ${MAX_MINUTES}`;
  if (value.first_response_minutes === null || value.resolution_minutes === null) return 'must have no empty target';
  const { first_response_minutes: first, resolution_minutes: resolution } = value;
  return Number(first) <= Number(resolution) ? null : 'must not allow the first response more time than the resolution';
}

const isMinutes = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_MINUTES;

const spaced = (text: string): string => (text.startsWith('.') ? text : ` ${text}`);
