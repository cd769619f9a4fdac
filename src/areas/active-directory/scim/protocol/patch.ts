import { isRecord } from '../../../../platform/text/json';
import { type Content, listOf, tidied, valueOf } from './content';
import { refuse } from './fault';
import { fulfils } from './matching';
import type { Filter } from './filter';
import { parsePath, type PatchTarget, resolve } from './path';
import { type Attribute, type ResourceType, saidUnder } from './schema';

/** One operation, its path read; a body without paths is as many as it has members. */
export interface Operation {
  op: 'add' | 'replace' | 'remove';
  target: PatchTarget;
  value: unknown;
}

const MAX_OPERATIONS = 500;

/**
 * The operations of a PATCH (RFC 7644, section 3.5.2), as clients write them: `op` in any case (Entra ID), members of a value without
 * a path that are paths themselves (`name.givenName`, `emails[type eq "work"].value`).
 */
export function operationsOf(type: ResourceType, body: Readonly<Record<string, unknown>>): Operation[] {
  const found = saidUnder(body, 'Operations');
  if (!Array.isArray(found) || found.length === 0) refuse('invalidSyntax', '"Operations" is a list of operations.');
  if (found.length > MAX_OPERATIONS) refuse('invalidSyntax', `A request has at most ${MAX_OPERATIONS} operations.`);
  return found.flatMap((each: unknown) =>
    isRecord(each) ? read(type, each) : refuse('invalidSyntax', 'An operation is an object.'),
  );
}

function read(type: ResourceType, body: Readonly<Record<string, unknown>>): Operation[] {
  const [said, path, value] = ['op', 'path', 'value'].map((name) => saidUnder(body, name));
  const op = typeof said === 'string' ? said.toLowerCase() : '';
  if (op !== 'add' && op !== 'replace' && op !== 'remove') refuse('invalidSyntax', '"op" is add, replace or remove.');
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') refuse('invalidPath', '"path" is a text.');
    const { extension, schema } = type;
    if (extension?.id.toLowerCase() === path.toLowerCase()) return inside(type, op, extension.id, value);
    // The schema of the resource itself: what is said of it is said without a path.
    if (schema.id.toLowerCase() === path.toLowerCase()) return read(type, { op, value });
    return [operation(op, parsePath(type, path), value)];
  }
  if (op === 'remove') refuse('noTarget', 'What is to be removed is said by "path".');
  if (!isRecord(value)) refuse('invalidValue', 'Without "path" the value is an object.');
  return Object.entries(value).flatMap(([name, each]) => {
    if (name.toLowerCase() === 'schemas') return [];
    if (type.extension?.id.toLowerCase() === name.toLowerCase()) return inside(type, op, type.extension.id, each);
    if (type.schema.id.toLowerCase() === name.toLowerCase()) return read(type, { op, value: each });
    // Who sends all that they have sends `id` along, and what this service does not know: neither is a fault then.
    const known = name.includes('[') ? undefined : resolve(type, name);
    if (known === null || known?.attribute.readOnly === true) return [];
    return [operation(op, parsePath(type, name), each)];
  });
}

/** What an extension says, as if each member had been named; what this service does not know is no fault here, either. */
function inside(type: ResourceType, op: Operation['op'], urn: string, value: unknown): Operation[] {
  const names = type.extension?.attributes.map(({ name }) => name) ?? [];
  const said = isRecord(value)
    ? Object.entries(value)
    : op === 'remove'
      ? names.map((name) => [name, null] as const)
      : [];
  return said.flatMap(([name, each]) => {
    const path = `${urn}:${name}`;
    return resolve(type, path) ? [operation(op, parsePath(type, path), each)] : [];
  });
}

function operation(op: Operation['op'], target: PatchTarget, value: unknown): Operation {
  const { attribute, sub } = target;
  if (attribute.readOnly === true || sub?.readOnly === true)
    refuse('mutability', `"${sub ? `${attribute.name}.` : ''}${(sub ?? attribute).name}" is not written by clients.`);
  return { op, target, value };
}

/** The content after one operation; what it was stays as it is. Refuses (400) what makes no sense. Pure. */
export function patched(content: Content, { op, target, value }: Operation): Content {
  const { extension, attribute } = target;
  const inner = extension === null ? content : content[extension];
  const holder = isRecord(inner) ? inner : {};
  const next = put(holder, attribute.name, changed(holder[attribute.name], op, target, value));
  if (extension === null) return next;
  return put(content, extension, Object.keys(next).length > 0 ? next : undefined);
}

/** The same with a member of another value; undefined = without it. */
function put(content: Content, name: string, value: unknown): Content {
  const others = Object.entries(content).filter(([each]) => each !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
}

function changed(before: unknown, op: Operation['op'], target: PatchTarget, value: unknown): unknown {
  const { attribute, sub, filter } = target;
  if (attribute.multi) return changedList(Array.isArray(before) ? before : [], op, target, value);
  if (filter) refuse('invalidPath', `"${attribute.name}" is no list.`);
  if (op === 'remove') return sub ? without(before, sub) : undefined;
  if (sub) return withMember(before, sub, value);
  const next = valueOf(attribute, value);
  // Of something with members only those change that are named.
  return attribute.type === 'complex' && isRecord(before) && isRecord(next) ? { ...before, ...next } : next;
}

function changedList(before: readonly unknown[], op: Operation['op'], target: PatchTarget, value: unknown): unknown {
  const { attribute, sub, filter } = target;
  if (!filter && !sub) {
    if (op === 'remove')
      return value === undefined || value === null ? undefined : some(removed(attribute, before, value));
    const given = listOf(attribute, value);
    if (op === 'replace') return given;
    return some(tidied(attribute, [...before, ...(given ?? [])], given?.length));
  }
  const isMeant = (each: unknown): boolean => filter === null || (isRecord(each) && fulfils(attribute, filter, each));
  const meant = before.filter(isMeant);
  if (op === 'remove')
    return some(
      sub ? before.map((each) => (isMeant(each) ? without(each, sub) : each)) : before.filter((each) => !isMeant(each)),
    );
  if (meant.length === 0) {
    // Who replaces what is not there is answered noTarget, but for filters that say what it is to be (Entra ID does so).
    const made = { ...demanded(filter), ...(sub ? { [sub.name]: value } : isRecord(value) ? value : { value }) };
    if (filter && Object.keys(demanded(filter)).length === 0)
      refuse('noTarget', `No value of "${attribute.name}" is meant.`);
    return some(tidied(attribute, [...before, ...(listOf(attribute, made) ?? [])], 1));
  }
  const next = before.map((each) => {
    if (!isMeant(each)) return each;
    if (sub) return withMember(each, sub, value);
    return valueOf(attribute, isRecord(value) && isRecord(each) ? { ...each, ...value } : value, true);
  });
  return some(
    tidied(
      attribute,
      next.filter((each) => each !== undefined),
    ),
  );
}

/** `type eq "work"` as a value; what is anything but equalities demands nothing. */
function demanded(filter: Filter | null): Content {
  if (filter?.op === 'eq') return { [filter.path]: filter.value };
  if (filter?.op !== 'and') return {};
  const parts = filter.of.map(demanded);
  return parts.some((part) => Object.keys(part).length === 0)
    ? {}
    : Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

/** Entra ID names what is to be removed by the value of the operation. */
function removed(attribute: Attribute, before: readonly unknown[], value: unknown): unknown[] {
  const named = (listOf(attribute, value) ?? []).filter(isRecord).map((each) => each.value);
  return before.filter((each) => !isRecord(each) || !named.includes(each.value));
}

function withMember(before: unknown, sub: Attribute, value: unknown): Content | undefined {
  const next = valueOf(sub, value);
  return next === undefined ? without(before, sub) : { ...(isRecord(before) ? before : {}), [sub.name]: next };
}

function without(before: unknown, sub: Attribute): Content | undefined {
  const rest = put(isRecord(before) ? before : {}, sub.name, undefined);
  return Object.keys(rest).length === 0 ? undefined : rest;
}

function some(values: readonly unknown[]): unknown[] | undefined {
  const kept = values.filter((each) => each !== undefined);
  return kept.length === 0 ? undefined : kept;
}
