import type { ArgumentSpec } from '../../platform/area/argument';
import { AnyMember, FlagMember, IntegerMember, ListMember, TextMember } from '../../platform/http/answer-members';

const text = { type: 'string' };

const Texts = (required = true): PropertyDecorator => AnyMember({ type: 'array', items: text }, { required });

/** An event that can start automations. */
class DefinedEvent {
  @TextMember()
  event: string;

  @TextMember()
  object: string;

  @TextMember()
  description: string;

  @Texts()
  aliases: readonly string[];
}

/** A field that conditions can name. */
export class DefinedField {
  @TextMember()
  field: string;

  @TextMember({ description: 'Singular name of the record that the rule is about.' })
  object: string;

  @TextMember()
  type: string;

  @Texts()
  operators: readonly string[];

  @Texts(false)
  values?: readonly string[];

  @TextMember({ required: false })
  references?: string;
}

/** An operator of conditions. */
class DefinedOperator {
  @TextMember()
  operator: string;

  @TextMember()
  value: string;

  @Texts()
  types: readonly string[];
}

/** What an action takes. */
class DefinedParameter implements ArgumentSpec {
  @TextMember()
  name: string;

  @FlagMember()
  required: boolean;

  @TextMember()
  kind: string;

  @TextMember()
  description: string;

  @Texts(false)
  values?: readonly string[];

  @TextMember({ required: false, description: 'The resource whose ids it takes.' })
  references?: string;

  @IntegerMember({ required: false, description: 'Most characters, or most items.' })
  max?: number;
}

/** What automations can do. */
export class DefinedAction {
  @TextMember()
  type: string;

  @TextMember()
  label: string;

  @TextMember()
  kind: string;

  @Texts()
  objects: readonly string[];

  @ListMember(() => DefinedParameter)
  parameters: DefinedParameter[];

  @Texts(false)
  one_of?: readonly string[];
}

/** A variable of templates. */
class DefinedVariable {
  @TextMember()
  variable: string;

  @TextMember()
  object: string;
}

/** What rules may be made of; the answer of `GET /automations/definitions`. */
export class AutomationDefinitions {
  @ListMember(() => DefinedEvent)
  events: DefinedEvent[];

  @ListMember(() => DefinedField)
  fields: DefinedField[];

  @ListMember(() => DefinedOperator)
  operators: DefinedOperator[];

  @ListMember(() => DefinedAction)
  actions: DefinedAction[];

  @ListMember(() => DefinedVariable)
  template_variables: DefinedVariable[];

  @Texts()
  settable_fields: readonly string[];

  @AnyMember({ type: 'object', additionalProperties: { type: 'integer' } })
  limits: Record<string, number>;
}
