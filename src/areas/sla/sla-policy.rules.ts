import { checkConditions } from '../../platform/conditions/check-conditions';
import type { Conditions } from '../../platform/conditions/condition';
import { FieldSet } from '../../platform/conditions/field-set';
import { ownName } from '../../platform/conditions/record-facts';
import { resourceFields } from '../../platform/conditions/resource-fields';
import type { TicketActions } from './ticket-actions';
import { invalid } from '../../platform/errors/api-error';
import type { Values } from '../../platform/resource/rows';
import { isRecord } from '../../platform/text/json';
import { METRICS } from './clock-types';
import type { EscalationStep, SlaPolicy } from './sla-policy.entity';

const MAX_STEPS = 10;
const MAX_ACTIONS = 20;
const MOMENTS = ['at_risk', 'breach'] as const;
const [MIN_OFFSET, MAX_OFFSET] = [-1_440, 10_080];
const STEP_KEYS = ['metric', 'at', 'offset_minutes', 'actions'];

/** Conditions of a policy: over the ticket, its company, its category and its requester. */
export function checkPolicyConditions(input: unknown): Conditions {
  const requester = new FieldSet(
    new Map([
      ['requester.email', { type: 'text' }],
      ['requester.domain', { type: 'text' }],
    ]),
  );
  const fields = resourceFields('tickets', { relations: { company: 'companies', category: 'categories' } });
  const known = fields.with(requester).aliased((name) => ownName(name, 'ticket'));
  return checkConditions('conditions', input, known);
}

/** 422 unless the policy as a whole makes sense: the default one is there for every ticket, at all times. */
export function checkPolicy(policy: Values<SlaPolicy>): void {
  const { starts_on: from, ends_on: to } = policy;
  if (from && to && from > to) invalid('ends_on', 'min', '"ends_on" must not be before "starts_on".', { min: from });
  if (policy.is_default === true && policy.is_active === false) {
    invalid('is_active', 'is_default', 'The default policy cannot be disabled; make another one the default first.');
  }
}

/** The escalation steps in stored form; `actions` is null where nothing provides actions. */
export async function checkEscalation(
  input: readonly unknown[],
  actions: TicketActions | null,
): Promise<EscalationStep[]> {
  if (input.length > MAX_STEPS) {
    invalid('escalation', 'max', `"escalation" has at most ${MAX_STEPS} steps.`, { max: MAX_STEPS });
  }
  const steps: EscalationStep[] = [];
  for (const [index, step] of input.entries()) steps.push(await checkStep(`escalation[${index}]`, step, actions));
  return steps;
}

async function checkStep(path: string, input: unknown, available: TicketActions | null): Promise<EscalationStep> {
  if (!isRecord(input)) invalid(path, 'type', `"${path}" must be an object.`);
  const unknown = Object.keys(input).find((key) => !STEP_KEYS.includes(key));
  if (unknown !== undefined) {
    invalid(`${path}.${unknown.slice(0, 64)}`, 'unknown_field', `A step has only ${STEP_KEYS.join(', ')}.`);
  }
  const { offset_minutes = 0, actions } = input;
  const metric = oneOf(`${path}.metric`, input.metric, METRICS);
  const at = oneOf(`${path}.at`, input.at, MOMENTS);
  if (
    typeof offset_minutes !== 'number' ||
    !Number.isInteger(offset_minutes) ||
    offset_minutes < MIN_OFFSET ||
    offset_minutes > MAX_OFFSET
  ) {
    const field = `${path}.offset_minutes`;
    invalid(field, 'range', `"${field}" must be a whole number from ${MIN_OFFSET} to ${MAX_OFFSET}.`);
  }
  if (!Array.isArray(actions) || actions.length < 1 || actions.length > MAX_ACTIONS) {
    invalid(`${path}.actions`, 'size', `"${path}.actions" must be an array of 1 to ${MAX_ACTIONS} actions.`);
  }
  if (!available) invalid(`${path}.actions`, 'unavailable', 'This installation has no actions.');
  const checked = await available.check(`${path}.actions`, actions);
  return { metric, at, offset_minutes, actions: checked };
}

function oneOf<T extends string>(field: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value);
  return found ?? invalid(field, 'enum', `"${field}" must be one of ${allowed.join(', ')}.`, { allowed });
}
