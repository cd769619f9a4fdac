import { countIn, idOf, listIn, objectOf, type Said, textIn, within } from '../said';
import type { Reading, ServicePage, ServiceRecord } from '../service-source';

/** What becomes of an object; null where nothing does. */
export type ToRecord = (said: Said, id: string) => ServiceRecord | null;

/** Lists by cursor: `links.next` while `meta.has_more`. */
export function cursorPage(answer: unknown, name: string, reading: Reading, to: ToRecord): ServicePage {
  const said = objectOf(answer);
  const link = textIn(within(said, 'links'), 'next');
  const next = within(said, 'meta').has_more === true && link !== null ? reading.follow(link) : null;
  return { records: recordsOf(listIn(answer, name), to), next, total: countIn(said, 'count') };
}

/** Records of those that have an id, and are wanted. */
export function recordsOf(list: readonly Said[], to: ToRecord): ServiceRecord[] {
  return list.flatMap((said) => {
    const id = idOf(said.id);
    const record = id === null ? null : to(said, id);
    return record ? [record] : [];
  });
}

/** When it was made, and last changed. */
export function moments({ created_at, updated_at }: Said): object {
  return { created_at, updated_at };
}
