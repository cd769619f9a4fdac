/** Shape of `accepted_by`. */
export const acceptedBySchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    email: { type: 'string', nullable: true },
    ip: { type: 'string', nullable: true },
  },
} as const;
