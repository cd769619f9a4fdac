import type { Answer } from './api';
import { useApp, type TestApp } from './app';
import { type Belongings, furnish } from './belongings';
import { slotKinds } from './isolation';
import { allOperations, fillPath, type Operation, type Schema } from './operations';
import { useSql } from './sql';
import { flawOf } from './uniform';
import { makePlan, makeWorkspace, type TestWorkspace } from './workspace';

/** A workspace without limits, every operation, and a way to send what should fail decently. */
export interface Hostility {
  server: TestApp;
  workspace: TestWorkspace;
  own: Belongings;
  operations: Operation[];
  /** The operations that take or may take a body. */
  writes(): Operation[];
  /**
   * Sends, and fails when the answer has a flaw. The path names records that exist, but for DELETE, so that there are
   * some left.
   */
  send(operation: Operation, query?: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/**
 * Hands out hostile values so that the whole list meets the first of each kind, and everything of a kind met before gets
 * `few` of them, the next ones each time: each value goes everywhere, at a price that does not grow with the square of
 * the API.
 */
export function rationed<T>(values: readonly T[], few: number): (kind: string) => T[] {
  const known = new Set<string>();
  let turn = 0;
  return (kind) => {
    if (!known.has(kind)) {
      known.add(kind);
      return [...values];
    }
    const from = turn;
    turn += few;
    return values.map((_, index) => values[(from + index) % values.length] as T).slice(0, few);
  };
}

/**
 * Deals values to members or parameters: every kind of value meets all of them, every new name two, and whatever has both
 * already one.
 */
export function dealt<T>(values: readonly T[]): (kind: string, name: string) => T[] {
  const [all, two, one] = [rationed(values, 0), rationed(values, 2), rationed(values, 1)];
  const names = new Set<string>();
  return (kind, name) => {
    const isNew = names.size !== names.add(name).size;
    return [...new Set([...all(kind), ...(isNew ? two('new') : one('known'))])];
  };
}

/** What a schema takes, but for its words and examples: members of one shape are checked by the same code. */
export function shapeOf(schema: Schema = {}): string {
  const words = new Set(['description', 'example', 'examples', 'default', 'title', 'enum']);
  return JSON.stringify(schema, (name, value: unknown) => (words.has(name) ? undefined : value));
}

/** What a member holds, whatever its bounds: one kind of column, and so one reader. */
export function kindOfValue({ type, format, enum: names, items, properties }: Schema = {}): string {
  const within = items ? kindOfValue(items) : Object.keys(properties ?? {}).join();
  return JSON.stringify([type, format, names !== undefined, within]);
}

/** Sets the stage for the tests of a file; after them no prototype may have changed. */
export function useHostility(): Hostility {
  const server = useApp();
  const sql = useSql();
  const shared = { server } as Hostility;
  shared.writes = () => shared.operations.filter(({ method }) => method === 'POST' || method === 'PATCH');
  shared.send = async (operation, query = '', body, headers = {}) => {
    const { method, path } = operation;
    const ids = slotKinds(path).map((kind) => (method === 'DELETE' ? 8_999_999_999_999 : (shared.own[kind] ?? 0)));
    const target = `${fillPath(path, ids)}${query}`;
    const answer = await shared.workspace.api.send(method, target, {
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const flaw = flawOf(answer);
    if (flaw !== null) throw new Error(`${method} ${target} ${JSON.stringify(body ?? null).slice(0, 300)}: ${flaw}`);
    return answer;
  };

  beforeAll(async () => {
    const workspace = await makeWorkspace(server, { plan: await makePlan(server, {}) });
    const own = await furnish(workspace.api, sql, 'hostile');
    const operations = (await allOperations()).filter(({ open }) => !open);
    Object.assign(shared, { workspace, own, operations });
  });
  afterAll(() => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
  return shared;
}
