/** Answer of `POST /tickets/{id}/rating-link`. */
export const ratingLinkSchema = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['rating_url', 'expires_at'],
      properties: {
        rating_url: {
          type: 'string',
          format: 'uri',
          example: 'https://help.example.com/p/rate/1-2a-t1u4o0-Zm9yIGV4YW1wbGUgb25seSEh',
        },
        expires_at: { type: 'string', format: 'date-time' },
      },
    },
  },
};
