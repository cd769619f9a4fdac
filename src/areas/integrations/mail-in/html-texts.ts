import { Injectable } from '@nestjs/common';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ApiError } from '../../../platform/errors/api-error';
import { htmlText, MAX_HTML } from '../../../platform/mail/html-text';
import { threadTask } from '../../../platform/workers/thread-task';
import { Workers } from '../../../platform/workers/workers.service';

const task = threadTask<typeof htmlText>('texts', join(__dirname, '../../../platform/mail/html-text'), 'htmlText');

/** Longer HTML is worked on in a thread: a megabyte takes a second. */
const SHORT = 16_384;
/** Threads that are busy, or too slow, are asked again. */
const TRIES = 3;
const PAUSE_MS = 1_000;

/** Makes text of the HTML of messages, of long ones in a thread. */
@Injectable()
export class HtmlTexts {
  constructor(private readonly workers: Workers) {}

  /** What the threads have no time for, again and again, is read as far as it is short: a message may not stop those behind it. */
  async of(html: string): Promise<string> {
    if (html.length <= SHORT) return htmlText(html);
    for (let tries = 1; tries <= TRIES; tries++) {
      try {
        return await this.workers.run(task, html.slice(0, MAX_HTML));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        await setTimeout(PAUSE_MS);
      }
    }
    const beginning = htmlText(html.slice(0, SHORT));
    return beginning.endsWith('…') ? beginning : `${beginning}\n\n…`;
  }
}
