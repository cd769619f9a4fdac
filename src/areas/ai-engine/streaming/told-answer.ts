import { EVENT_STREAM } from '../../../platform/http/streams/event-stream';

/** What the description of a route says of it. */
export const TOLD_TOO = ` With \`Accept: ${EVENT_STREAM}\` and without an Idempotency-Key the answer is told while it is made: \`delta\` has what comes next, \`reset\` takes back what was told, \`done\` has what is otherwise the whole answer, \`error\` says that there is none.`;

/** Where decorators leave the responses of a route. */
const RESPONSES = 'swagger/apiResponse';

/** A response as decorators describe it. */
interface Described {
  description?: string;
  schema?: object;
}

/** Beside the answer of a route, whose decorators stand below: the same as a stream, with 200. */
export function ToldToo(): MethodDecorator {
  return (_prototype, _name, { value: method }) => {
    if (typeof method !== 'function') return;
    const known = (Reflect.getMetadata(RESPONSES, method) ?? {}) as Record<string, Described>;
    const { schema, ...whole } = known['200'] ?? { description: 'The answer while it is made.' };
    const content = {
      ...(schema ? { 'application/json': { schema } } : {}),
      [EVENT_STREAM]: { schema: { type: 'string' } },
    };
    Reflect.defineMetadata(RESPONSES, { ...known, 200: { ...whole, content } }, method);
  };
}
