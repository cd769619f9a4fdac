/** A file as the record that it hangs on shows it. */
export interface AttachedFile {
  id: number;
  filename: string;
  content_type: string;
  /** Bytes. */
  size: number;
  /** Path that it is fetched from. */
  url: string;
}

/** The schema of a list of them. */
export const attachedSchema = {
  type: 'array' as const,
  items: {
    type: 'object' as const,
    required: ['id', 'filename', 'content_type', 'size', 'url'],
    properties: {
      id: { type: 'integer', format: 'int64' },
      filename: { type: 'string' },
      content_type: { type: 'string' },
      size: { type: 'integer', minimum: 0 },
      url: { type: 'string', example: '/v1/attachments/7/content' },
    },
  },
};
