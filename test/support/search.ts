import type { Hit } from '../../src/areas/search/hits';
import type { Api } from './api';

/** A search as it is answered. */
export interface Found {
  data: Partial<Record<string, Hit[]>>;
  meta: Record<string, unknown>;
}

/** Searches for a text. */
export async function found(api: Api, text: string, more = ''): Promise<Found> {
  const { body, meta } = (await api.get(`/search?q=${encodeURIComponent(text)}${more}`)).expect(200);
  return { data: body.data as Found['data'], meta };
}

/** The ids of one group. */
export async function idsOf(api: Api, text: string, type: string): Promise<number[]> {
  return ((await found(api, text, '&limit=20')).data[type] ?? []).map(({ id }) => id);
}
