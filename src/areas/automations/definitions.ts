import { MAX_CONDITIONS, MAX_DEPTH } from '../../platform/conditions/condition';
import { OPERATORS, operatorsOf } from '../../platform/conditions/operators';
import { MAX_PATTERN, MAX_PATTERNS } from '../../platform/text/pattern';
import { argumentsOf } from '../../platform/area/argument';
import { eventKind } from '../../platform/events/event-catalogue';
import { type FieldBook, fieldPath } from '../../platform/fields/field-definition';
import { actionSpec } from './action-catalogue';
import { SETTABLE_FIELDS } from './action-parameters';
import { MAX_ACTIONS } from './automation.schemas';
import type { AutomationDefinitions, DefinedAction, DefinedField } from './definitions.dto';
import { objectOf, templateVariables, triggerEvents, workspaceFields } from './rule-fields';

/**
 * Everything that a rule may name in this installation.
 *
 * @param availableTypes types of action that rules about this kind of record may have
 * @param book custom fields that the workspace has defined
 */
export function definitions(
  availableTypes: (object: string) => readonly string[],
  book: FieldBook,
): AutomationDefinitions {
  const events = triggerEvents();
  const objects = [...new Set(events.map(objectOf))];
  return {
    events: events.map((event) => ({
      event,
      object: objectOf(event),
      description: eventKind(event)?.description ?? 'At the times of `cron`, for each ticket that `query` finds.',
      aliases: eventKind(event)?.aliases ?? [],
    })),
    fields: objects.flatMap((object) => fieldsOf(object, book)),
    operators: Object.entries(OPERATORS).map(([operator, { value, types }]) => ({ operator, value, types })),
    actions: actionsOf(objects, availableTypes),
    template_variables: objects.flatMap((object) =>
      templateVariables(object)
        .names()
        .map((variable) => ({ variable, object })),
    ),
    settable_fields: [...SETTABLE_FIELDS, ...(book.get('ticket') ?? []).map(fieldPath), 'custom_fields.<key>'],
    limits: {
      actions: MAX_ACTIONS,
      conditions: MAX_CONDITIONS,
      depth: MAX_DEPTH,
      pattern_length: MAX_PATTERN,
      patterns: MAX_PATTERNS,
    },
  };
}

function fieldsOf(object: string, book: FieldBook): DefinedField[] {
  return [...workspaceFields(object, book).entries()].map(([field, spec]) => ({
    field,
    object,
    type: spec.type,
    operators: operatorsOf(spec),
    ...(spec.values ? { values: spec.values } : {}),
    ...(spec.references ? { references: spec.references } : {}),
  }));
}

function actionsOf(objects: readonly string[], availableTypes: (object: string) => readonly string[]): DefinedAction[] {
  const types = [...new Set(objects.flatMap(availableTypes))].sort();
  return types.flatMap((type): DefinedAction[] => {
    const spec = actionSpec(type);
    if (!spec) return [];
    return [
      {
        type,
        label: spec.label,
        kind: spec.kind,
        objects: objects.filter((object) => availableTypes(object).includes(type)),
        parameters: [...argumentsOf(spec.parameters)].map(([name, { spec: told }]) => {
          const { required = false, ...parameter } = told;
          return { name, required, ...parameter };
        }),
        ...(spec.oneOf ? { one_of: spec.oneOf } : {}),
      },
    ];
  });
}
