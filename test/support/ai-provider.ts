import type { Replier, Reply } from './receiver';

/** What a model says that holds to the rules. */
export const GOOD = {
  action: 'answer',
  citations: [1],
  confidence: 0.9,
  answer: 'Choose “Reset password” on the account page; a link comes by e-mail.',
};

const USAGE = { prompt_tokens: 200, completion_tokens: 20 };

/** What a model says, whole. */
export function completion(said: object, usage: object = USAGE): Exclude<Reply, number> {
  const message = { role: 'assistant', content: JSON.stringify(said) };
  return { status: 200, body: JSON.stringify({ choices: [{ message }], usage }) };
}

/** The same as it is streamed: some characters at a time, what they count, and the end. */
export function frames(said: object, characters = 7): string[] {
  const content = JSON.stringify(said);
  const parts = content.match(new RegExp(`[^]{1,${characters}}`, 'g')) ?? [];
  const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
  return [
    ...parts.map((part) => event({ choices: [{ index: 0, delta: { content: part } }] })),
    event({ choices: [], usage: USAGE }),
    'data: [DONE]\n\n',
  ];
}

/** Answers with a stream; `between` is waited for ahead of the frame with that number. */
export function streaming(
  parts: readonly string[],
  end: 'end' | 'cut' | 'hang' = 'end',
  between: { at: number; wait: () => Promise<void> } | null = null,
): Replier {
  return async (_request, response): Promise<'hang'> => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [at, part] of parts.entries()) {
      if (between?.at === at) await between.wait();
      await new Promise((resolve) => response.write(part, resolve));
    }
    if (end === 'end') response.end();
    // Behind what was written, which a reset would take along.
    if (end === 'cut') response.socket?.end();
    return 'hang';
  };
}

/** One event of a stream. */
export interface Told {
  event: string;
  data: Record<string, unknown>;
}

/** The last event of a stream. */
export function endOf(text: string): Told {
  return eventsIn(text).at(-1) ?? { event: 'none', data: {} };
}

/** The events of a stream. */
export function eventsIn(text: string): Told[] {
  return [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)].map(([, event = '', data = '{}']) => ({
    event,
    data: JSON.parse(data) as Record<string, unknown>,
  }));
}

/** What was told and not taken back. */
export function toldIn(text: string): string {
  return eventsIn(text).reduce((told, { event, data }) => {
    if (event === 'reset') return '';
    return event === 'delta' ? told + String(data.text) : told;
  }, '');
}
