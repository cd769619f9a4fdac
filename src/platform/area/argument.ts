import { ValidateIf } from 'class-validator';
import { IsShaped, type Shape } from '../validation/shapes';

/** What is told of an argument (`GET /automations/definitions`). */
export interface ArgumentSpec {
  /** What it holds, e.g. `template`. */
  kind: string;
  description: string;
  required?: boolean;
  values?: readonly string[];
  /** The resource whose ids it takes; they must exist. */
  references?: string;
  /** Most characters, or most items. */
  max?: number;
}

/** What every decorator of an argument takes. */
export type ArgumentWords = Pick<ArgumentSpec, 'description' | 'required'>;

/** An argument: what is told of it, what it must be, and what becomes of it. */
export interface Argument extends Shape {
  spec: ArgumentSpec;
  /** The form in which it is kept, of a value that is right. */
  stored?: (value: unknown) => unknown;
  /** The texts in it that may hold variables, of a value that is right. */
  templates?: (value: unknown) => readonly string[];
}

/** What is wrong with a value, in words that follow its name. */
export interface Wrong {
  code: string;
  problem: string;
  allowed?: readonly string[];
}

const ARGUMENTS = Symbol('arguments of an action');

/**
 * A member of the class of an action (`RuleAction.parameters`): the check, the OpenAPI schema and what rules are told of it all
 * follow from it. The decorators of `arguments.ts` are made of it; an area with a kind of its own makes another.
 */
export function IsArgument(argument: Argument): PropertyDecorator {
  return (prototype, key) => {
    const all = new Map([...argumentsIn(prototype), [String(key), argument]]);
    Reflect.defineMetadata(ARGUMENTS, all, prototype);
    if (!argument.spec.required) ValidateIf((_, value) => value !== undefined)(prototype, key);
    IsShaped(argument)(prototype, key);
  };
}

/** The arguments of an action by name, in the order of its class; none without a class. */
export function argumentsOf(parameters?: new () => object): ReadonlyMap<string, Argument> {
  return parameters ? argumentsIn(parameters.prototype as object) : new Map();
}

function argumentsIn(prototype: object): ReadonlyMap<string, Argument> {
  return (Reflect.getMetadata(ARGUMENTS, prototype) ?? new Map()) as ReadonlyMap<string, Argument>;
}

/** A shape of which one thing is wrong at a time. */
export function checkedBy(api: Record<string, unknown>, wrongOf: (value: unknown) => Wrong | null): Shape {
  return {
    api,
    find: (value, field, found) => {
      const wrong = wrongOf(value);
      if (!wrong) return;
      const { code, problem, allowed } = wrong;
      found.push({ field, code, message: `${field} ${problem}`, ...(allowed ? { allowed } : {}) });
    },
  };
}
