import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { KbArticleFeedback } from './feedback.entity';

const writable = [
  'helpful',
  'deflected',
  'comment',
  'contact_id',
  'ticket_id',
  'external_id',
  'custom_fields',
] as const;

/** `POST /kb/articles/{id}/feedback` */
@BodyOf(KbArticleFeedback, writable)
export class GiveFeedback extends MembersOf(KbArticleFeedback, writable, ['helpful']) {}
