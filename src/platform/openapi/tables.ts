import { TABLE_TYPES } from '../http/table/table-format';
import { type Document, operationsOf, ref, type Response } from './document';

/** Whether an answer is a list. */
export function answersList(answer: unknown): boolean {
  return /"#\/components\/schemas\/\w+List"|"links"/.test(JSON.stringify(answer ?? null));
}

/** Gives every list the media types of its tables, which mean the same everywhere. */
export function addTables(document: Document): void {
  for (const { method, operation } of operationsOf(document)) {
    const answer: Response | undefined = operation.responses['200'];
    if (
      !answer ||
      method !== 'get' ||
      !answersList(answer) ||
      !operation.parameters?.some(({ name }) => name === 'page' || name === 'limit')
    )
      continue;
    for (const type of Object.values(TABLE_TYPES))
      Object.assign((answer.content ??= {}), { [type]: { schema: ref('schemas', 'Table') } });
  }
}
