import { checkConditions } from '../../platform/conditions/check-conditions';
import type { Conditions } from '../../platform/conditions/condition';
import { FieldSet } from '../../platform/conditions/field-set';
import { ownName } from '../../platform/conditions/record-facts';
import { resourceFields } from '../../platform/conditions/resource-fields';
import type { TicketActions } from './ticket-actions';
import { invalid } from '../../platform/errors/api-error';
import type { Values } from '../../platform/resource/rows';
import type { EscalationStep, NewEscalationStep } from './escalation-step';
import type { SlaPolicy } from './sla-policy.entity';

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

/** The escalation steps, whose form is right, in stored form; `actions` is null where nothing provides actions. */
export async function checkEscalation(
  steps: readonly NewEscalationStep[],
  actions: TicketActions | null,
): Promise<EscalationStep[]> {
  const checked: EscalationStep[] = [];
  for (const [index, { metric, at, offset_minutes = 0, actions: asked }] of steps.entries()) {
    const path = `escalation[${index}].actions`;
    if (!actions) invalid(path, 'unavailable', 'This installation has no actions.');
    checked.push({ metric, at, offset_minutes, actions: await actions.check(path, asked) });
  }
  return checked;
}
