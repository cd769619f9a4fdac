import { Injectable } from '@nestjs/common';
import { type Brand, brandOf } from '../../../platform/brand/brand';
import { clockMs } from '../../../platform/context/clock';
import { type Actor, callingAs, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { fail } from '../../../platform/errors/api-error';
import type { FileResult } from '../../../platform/http/results';
import { type CustomerField, CustomerFields } from '../../../platform/resource/customer-fields';
import type { LinkTarget } from '../../../platform/secrets/public-links';
import { languageOfAddress, requesterName } from '../../contacts/contact-lookup';
import type { RatingForm } from './rating.dto';
import { ratingPage, type RatingView, thanksPage } from './rating-page';
import { isChangeable, obstacleOf } from './rating-rules';
import { RatingsService } from './ratings.service';

const VISITOR: Actor = { type: 'requester', id: null, name: 'requester' };

interface Shown {
  code: string;
  subject: string;
  status: string;
  merged_into_id: number | null;
  contact_id: number | null;
  requester_name: string | null;
  requester_email: string | null;
  custom_fields: Record<string, unknown>;
  /** Those of them that the page shows. */
  fields: readonly CustomerField[];
  brand: Brand;
  language: string | null;
  score: number | null;
  comment: string | null;
  rated_first_at: string | null;
}

/** The page on which a requester rates a ticket, for whoever has its link. */
@Injectable()
export class RatingPageService {
  constructor(
    private readonly database: Database,
    private readonly ratings: RatingsService,
    private readonly fields: CustomerFields,
  ) {}

  /** Writes nothing, whatever the link chooses: mail scanners open links. */
  async show({ workspaceId, id }: LinkTarget, chosen: unknown): Promise<FileResult> {
    const ticket = await this.read(workspaceId, id);
    return ratingPage(viewOf(ticket), scoreOf(chosen));
  }

  /** Stores the rating as the requester's; where that is no longer possible the page says why. */
  async take({ workspaceId, id }: LinkTarget, { score, comment }: RatingForm): Promise<FileResult> {
    const ticket = await this.read(workspaceId, id);
    const view = viewOf(ticket);
    if (view.obstacle !== null || view.rating?.isChangeable === false) return ratingPage(view, null);
    const actor: Actor = {
      type: 'requester',
      id: ticket.contact_id,
      name: ticket.requester_name ?? ticket.requester_email ?? VISITOR.name,
    };
    const given = { score: Number(score), comment: comment ?? null };
    await this.database.inWorkspace(workspaceId, callingAs(actor), () => this.ratings.rate(id, given, null, 'link'));
    return thanksPage(view, given.score);
  }

  private async read(workspaceId: number, id: number): Promise<Shown> {
    const ticket = await this.database.inWorkspace(workspaceId, callingAs(VISITOR), () =>
      this.database.transaction(async () => {
        const [found] = await this.database.query<Shown>(SHOWN, [currentWorkspaceId(), id]);
        if (!found) return null;
        const locale = found.language ?? found.brand.locale;
        return { ...found, fields: await this.fields.shown('ticket', found.custom_fields, locale) };
      }),
    );
    return ticket ?? fail('not_found', 'The request that this link is about does not exist any more.');
  }
}

function viewOf(ticket: Shown): RatingView {
  const { code, subject, fields, brand, language, score, comment, rated_first_at } = ticket;
  return {
    code,
    subject,
    fields,
    brand,
    locale: language ?? brand.locale,
    obstacle: obstacleOf(ticket),
    rating:
      score === null
        ? null
        : {
            score,
            comment,
            isChangeable: isChangeable(rated_first_at === null ? 0 : Date.parse(rated_first_at), clockMs()),
          },
  };
}

function scoreOf(text: unknown): number | null {
  return typeof text === 'string' && /^[1-5]$/.test(text) ? Number(text) : null;
}

const SHOWN = `
  SELECT t.code, t.subject, t.status, t.merged_into_id, t.contact_id, ${requesterName('t.requester_name', 't.contact_id')} AS requester_name, t.requester_email, t.custom_fields, ${brandOf('w')} AS brand, (${languageOfAddress('t.requester_email')}) AS language,
    r.score, r.comment, r.created_at AS rated_first_at
  FROM tickets t JOIN workspaces w ON w.id = t.workspace_id
  LEFT JOIN ticket_ratings r ON r.workspace_id = t.workspace_id AND r.ticket_id = t.id AND r.resolution = t.reopened_count + 1
  WHERE t.workspace_id = $1 AND t.id = $2`;
