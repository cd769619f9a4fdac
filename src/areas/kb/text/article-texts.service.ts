import { Injectable } from '@nestjs/common';
import { join } from 'node:path';
import { threadTask } from '../../../platform/workers/thread-task';
import { Workers } from '../../../platform/workers/workers.service';
import { articleText, type ArticleText, type Content } from './article-text';

const task = threadTask<typeof articleText>('texts', join(__dirname, 'article-text'), 'articleText');

/** Longer bodies are worked on in a thread: some milliseconds of work are behind each of these. */
const SHORT = 10_000;

/** Makes of articles what readers of plain text and searches need, long ones in a thread. */
@Injectable()
export class ArticleTexts {
  constructor(private readonly workers: Workers) {}

  /** @throws ApiError 503 when too many long articles are being written */
  async of({ title, body, language, tags, keywords }: Content): Promise<ArticleText> {
    const content = { title, body, language, tags, keywords };
    return body.length <= SHORT ? articleText(content) : this.workers.run(task, content);
  }
}
