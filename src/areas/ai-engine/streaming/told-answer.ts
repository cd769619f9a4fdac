import { EVENT_STREAM } from '../../../platform/http/streams/event-stream';
import { isRecord } from '../../../platform/text/json';

/** What the description of a route says of it. */
export const TOLD_TOO = ` With \`Accept: ${EVENT_STREAM}\` and without an Idempotency-Key the answer is told while it is made: \`delta\` has what comes next, \`reset\` takes back what was told, \`done\` has what is otherwise the whole answer, \`error\` says that there is none.`;

/** Where decorators leave the responses of a route. */
const RESPONSES = 'swagger/apiResponse';

/** Of a route that answers with another status otherwise. */
const NONE: Record<string, unknown> = { description: 'The answer while it is made.' };

/** Beside the answer of a route, whose decorators stand below: the same as a stream, with 200. */
export function ToldToo(): MethodDecorator {
  return (_prototype, _name, { value: method }) => {
    if (typeof method !== 'function') return;
    const known: unknown = Reflect.getMetadata(RESPONSES, method);
    const responses = isRecord(known) ? known : {};
    const whole = responses['200'];
    const { schema, ...described } = isRecord(whole) ? whole : { ...NONE };
    const content = {
      ...(schema ? { 'application/json': { schema } } : {}),
      [EVENT_STREAM]: { schema: { type: 'string' } },
    };
    Reflect.defineMetadata(RESPONSES, { ...responses, 200: { ...described, content } }, method);
  };
}
