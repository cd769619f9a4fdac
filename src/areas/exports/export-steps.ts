import { allResources, type Resource } from '../../platform/resource/resource';
import type { Row } from '../../platform/resource/rows';
import { attachmentResource } from '../attachments/attachment.resource';
import { Export } from './export.entity';

/** The step behind the records: the files themselves. Also the folder that they are in. */
export const FILES = 'files';

/** What is put into an archive at a time: the records of a resource, or the files. */
export type Step = Resource | typeof FILES;

/** Names of what can be exported. What exports are themselves is no part of one. */
export function exportable(): Resource[] {
  return allResources().filter(({ entity }) => entity.name !== Export.name);
}

/** The steps of an export, in the order of the areas. */
export function stepsOf({ resources, with_files }: Pick<Row<Export>, 'resources' | 'with_files'>): Step[] {
  const wanted = exportable().filter(({ name }) => resources.length === 0 || resources.includes(name));
  const hasFiles = with_files && wanted.some(({ name }) => name === attachmentResource.name);
  return hasFiles ? [...wanted, FILES] : wanted;
}

/** What the manifest and the folders call a step. */
export function nameOf(step: Step): string {
  return step === FILES ? FILES : step.name;
}
