import { Injectable, Logger } from '@nestjs/common';
import { join } from 'node:path';
import type { Brand } from '../../brand/brand';
import { threadTask } from '../../workers/thread-task';
import { Workers } from '../../workers/workers.service';
import type { WireFile } from '../smtp-client';
import { type Composition, compose, isLong } from './compose';
import { type LetterBodies, LOGO_CID } from './letter';

const composing = threadTask<typeof compose>('texts', join(__dirname, 'compose'), 'compose');

/** Puts mails into the layout that they all have. */
@Injectable()
export class MailLetters {
  private readonly logger = new Logger(MailLetters.name);

  constructor(private readonly workers: Workers) {}

  /** Long texts are read in a thread. One whose Markdown cannot be read in time is shown as it was written, without what came before. */
  async compose(composition: Composition): Promise<LetterBodies> {
    if (!isLong(composition.letter)) return compose(composition);
    const { letter, brand } = composition;
    // The picture itself is not needed there.
    const slim = { ...composition, brand: { ...brand, logo: brand.logo && { ...brand.logo, png: '' } } };
    try {
      return await this.workers.run(composing, slim);
    } catch (error) {
      this.logger.warn(`A mail was not read as Markdown: ${error instanceof Error ? error.message : 'unknown'}`);
      return compose({ ...slim, letter: { ...letter, format: 'plain', quoted: [] } });
    }
  }
}

/** The logo as the HTML of a letter asks for it; nothing where the workspace has none. */
export function logoFile({ logo }: Brand): WireFile[] {
  if (logo === null) return [];
  return [{ filename: 'logo.png', content_type: 'image/png', content: logo.png, cid: LOGO_CID }];
}
