import type { Answer } from './api';
import { useApp, type TestApp } from './app';
import { type Belongings, furnish, slotKinds } from './isolation';
import { allOperations, fillPath, type Operation } from './operations';
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
