import { Injectable } from '@nestjs/common';
import { join } from 'node:path';
import { type Context, current } from '../../../platform/context/current';
import { threadTask } from '../../../platform/workers/thread-task';
import { Workers } from '../../../platform/workers/workers.service';
import { articleText, type ArticleText, type Content, TEXT_FIELDS } from './article-text';

const task = threadTask<typeof articleText>('texts', join(__dirname, 'article-text'), 'articleText');

/** Longer bodies are worked on in a thread: some milliseconds of work are behind each of these. */
export const SHORT = 10_000;

/** A content, and what was made of it. */
interface Prepared {
  content: Content;
  text: ArticleText;
}

/** Makes of articles what readers of plain text and searches need, long ones in a thread. */
@Injectable()
export class ArticleTexts {
  /** By request or job: what it will ask for once it holds its locks. */
  private readonly prepared = new WeakMap<Context, Prepared>();

  constructor(private readonly workers: Workers) {}

  /**
   * Does the work for a long content now, before locks are held; `of` then has it at hand, as long as the content is the same.
   *
   * @throws ApiError 503 when too many long articles are being written
   */
  async ahead(content: Content): Promise<void> {
    if (content.body.length <= SHORT) return;
    this.prepared.set(current(), { content, text: await this.workers.run(task, contentOf(content)) });
  }

  /** @throws ApiError 503 when too many long articles are being written */
  async of(content: Content): Promise<ArticleText> {
    if (content.body.length <= SHORT) return articleText(contentOf(content));
    const prepared = this.prepared.get(current());
    return prepared && isSame(prepared.content, content) ? prepared.text : this.workers.run(task, contentOf(content));
  }
}

/** Records carry more than can be handed to a thread. */
function contentOf({ title, body, language, tags, keywords }: Content): Content {
  return { title, body, language, tags, keywords };
}

function isSame(one: Content, other: Content): boolean {
  return TEXT_FIELDS.every((name) => one[name] === other[name]);
}
