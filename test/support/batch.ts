import type { Api, Fields } from './api';

/** What a batch answers about one of its operations. */
export interface Result {
  index: number;
  ref?: string;
  op: string;
  status: number;
  ok: boolean;
  id?: number;
  etag?: string;
  data?: Fields;
  error?: { type: string; status: number; request_id: string; message: string; details?: { code: string }[] };
}

/** What a batch answers. */
export interface Outcome {
  mode: string;
  dry_run: boolean;
  summary: { total: number; succeeded: number; failed: number; skipped: number };
  results: Result[];
}

/** Runs a batch that is well formed. */
export async function runBatch(api: Api, operations: unknown[], options: object = {}, query = ''): Promise<Outcome> {
  return (await api.post(`/tickets/batch${query}`, { operations, ...options })).expect(200).data as unknown as Outcome;
}
