import { Injectable } from '@nestjs/common';
import { checkTemplate, renderTemplate } from '../../platform/conditions/template';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { currentSight } from '../../platform/context/demand';
import { Database } from '../../platform/database/database';
import { type ErrorDetail, invalid, refuseProblems } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import { sql } from '../../platform/postgres/statement-batch';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { readStatement } from '../../platform/resource/read/record-plan';
import { isReadable, seenRows } from '../../platform/resource/read/sight';
import { parseSelection } from '../../platform/resource/read/selection';
import { resourceIfAny } from '../../platform/resource/resource';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { ownJson } from '../../platform/text/json';
import { settleSharing } from '../users/sharing';
import type {
  CreateCannedResponse,
  RenderCannedResponse,
  RenderedResponse,
  UpdateCannedResponse,
} from './canned-response.dto';
import { CannedResponse } from './canned-response.entity';
import { NEIGHBOURS, responseValue, responseVariables } from './response-variables';

@Injectable()
export class CannedResponsesService {
  constructor(
    @InjectStore(CannedResponse) private readonly responses: Store<CannedResponse>,
    private readonly database: Database,
  ) {}

  create(body: CreateCannedResponse): Promise<SingleResult> {
    return this.responses.create(body, (values) => {
      requireVariables(values.body);
      settleSharing(values, null);
      return undefined;
    });
  }

  update(id: number, body: UpdateCannedResponse, expected: ExpectedVersions): Promise<SingleResult> {
    return this.responses.update(id, body, expected, (before, values) => {
      if (values.body !== before.body) requireVariables(values.body);
      settleSharing(values, before);
      return { values };
    });
  }

  /** The text for a ticket; counts as a use unless it is only looked at. */
  async render(id: number, { ticket_id: ticketId, preview = false }: RenderCannedResponse): Promise<RenderedResponse> {
    return this.database.transaction(async () => {
      const { body } = await this.responses.whole(id);
      const ticket = await this.ticket(ticketId);
      const user = current().principal?.user ?? null;
      const value = (name: string): unknown => responseValue(name, ticket, user);
      if (!preview) await this.count(id);
      const text = renderTemplate(body, value);
      return { id, ticket_id: ticketId, body: renderTemplate(body, value, 'markdown'), text };
    });
  }

  /** A ticket as the caller may read it, with its neighbours. */
  private async ticket(id: number): Promise<Readonly<Record<string, unknown>>> {
    const resource = resourceIfAny('tickets');
    const sight = currentSight();
    if (!resource || !isReadable(resource, sight)) invalid('ticket_id', 'not_found', 'There are no tickets here.');
    const selection = parseSelection(resource, { expand: Object.keys(NEIGHBOURS).join(',') });
    const seen = seenRows(resource, 't', sight);
    const { text, values } = readStatement(resource, selection, { id, workspaceId: currentWorkspaceId(), seen });
    const [row] = await this.database.read(sql<{ json: string }>(text, values));
    if (!row) invalid('ticket_id', 'not_found', '"ticket_id" names a ticket that does not exist.');
    return ownJson(row.json);
  }

  private async count(id: number): Promise<void> {
    await this.database.query(
      `UPDATE canned_responses SET use_count = use_count + 1, last_used_at = now() WHERE workspace_id = $1 AND id = $2`,
      [currentWorkspaceId(), id],
    );
  }
}

function requireVariables(body: string | undefined): void {
  const problems: ErrorDetail[] = [];
  if (body !== undefined) checkTemplate('body', body, responseVariables(), problems);
  refuseProblems(problems);
}
