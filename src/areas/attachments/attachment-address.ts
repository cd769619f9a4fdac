/** Page of the signed links that open files: `/p/attachments/{token}`. */
export const ATTACHMENT_PAGE = 'attachments';

/** SQL of the path that a file is fetched from. @param id SQL of its id */
export function contentPath(id: string): string {
  return `'/v1/attachments/' || ${id} || '/content'`;
}
