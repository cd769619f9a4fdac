/** Shape of `accepted_by`. */
export const acceptedBySchema = {
  type: 'object' as const,
  required: ['name', 'email', 'ip'],
  properties: {
    name: { type: 'string' as const },
    email: { type: 'string' as const, nullable: true },
    ip: { type: 'string' as const, nullable: true },
  },
};
