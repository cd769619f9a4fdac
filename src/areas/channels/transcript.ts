import type { ThreadMessage } from './message.entity';
import { shortened } from '../../platform/text/normalise';

const MAX_SUBJECT = 120;
const LEFT_OUT = '[…]\n\n';

/** The first line of what was said, short enough for a subject. */
export function subjectOf(body: string): string {
  const line =
    body
      .split(/[\r\n]/)
      .find((each) => each.trim() !== '')
      ?.trim() ?? 'Conversation';
  return shortened(line, MAX_SUBJECT);
}

/** What was said, oldest first, each with who and when; of a long conversation the end. */
export function transcriptOf(
  messages: readonly Pick<ThreadMessage, 'author_name' | 'author_type' | 'created_at' | 'body'>[],
  max: number,
): string {
  const parts = messages
    .filter(({ body }) => body !== '')
    .map(({ author_name, author_type, created_at, body }) => {
      const at = `${created_at.slice(0, 16).replace('T', ' ')} UTC`;
      return `**${author_name ?? author_type}**, ${at}:\n${body}`;
    });
  const whole = parts.join('\n\n');
  if (whole.length <= max) return whole;
  const room = max - LEFT_OUT.length;
  return LEFT_OUT + whole.slice(-room).toWellFormed();
}
