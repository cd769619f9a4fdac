/** Name of the schema of an answer with one record and few of its members, which every answer with a record may be. */
export const SPARSE_ANSWER = 'SparseAnswer';
