import { Inject, Injectable } from '@nestjs/common';
import type { Action } from '../../platform/area/rules';
import { note, readConditions } from '../../platform/conditions/check-conditions';
import type { Conditions } from '../../platform/conditions/condition';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../platform/context/runtime-config';
import { Database } from '../../platform/database/database';
import { type ErrorDetail, refuseProblems } from '../../platform/errors/api-error';
import { resourceIfAny } from '../../platform/resource/resource';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { SecretBox } from '../../platform/secrets/secret-box';
import { type AddressRange, parseRanges } from '../../platform/outbound/addresses';
import { type NamedRecord, readActions } from './action-reader';
import { readTrigger } from './automation-trigger';
import { ActionExecutors } from './engine/action-executors';
import type { Trigger } from './engine/rule';
import { definitions } from './definitions';
import type { AutomationDefinitions } from './definitions.dto';
import { objectOf, templateVariables, workspaceFields } from './rule-fields';
import { withSealedHeaders } from './sealed-headers';

/** The parts of a rule that depend on each other. */
export interface RuleParts {
  trigger: Trigger;
  conditions: Conditions;
  actions: Action[];
}

/** Checks rules as they were sent and brings them into stored form. */
@Injectable()
export class RuleCheck {
  private readonly ranges: readonly AddressRange[];

  constructor(
    private readonly database: Database,
    private readonly executors: ActionExecutors,
    private readonly kernel: ResourceKernel,
    private readonly secrets: SecretBox,
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'webhookAllowCidrs'>,
  ) {
    this.ranges = parseRanges(config.webhookAllowCidrs);
  }

  /**
   * @param looksUp whether what the actions name must exist; for actions that were stored before it may be gone
   * @throws ApiError 422 with everything that is wrong with them, and what would be allowed
   */
  async rule(trigger: unknown, conditions: unknown, actions: readonly unknown[], looksUp = true): Promise<RuleParts> {
    const problems: ErrorDetail[] = [];
    const book = await this.kernel.fields.all();
    const read = readTrigger(trigger, {
      zone: current().principal?.workspace?.timezone ?? 'UTC',
      fieldsOf: (object) => workspaceFields(object, book),
      tickets: await this.kernel.named('tickets'),
      problems,
    });
    const object = objectOf(read.event);
    const rule = {
      trigger: read,
      conditions: readConditions('conditions', conditions, workspaceFields(object, book), problems),
    };
    return { ...rule, actions: await this.readActions('actions', actions, object, problems, looksUp) };
  }

  /** Actions on tickets by themselves. @throws ApiError 422 with the path of what is wrong */
  actions(path: string, actions: readonly unknown[]): Promise<Action[]> {
    return this.readActions(path, actions, 'ticket', [], true);
  }

  /** Everything that a rule may name in the current workspace. */
  async definitions(): Promise<AutomationDefinitions> {
    return definitions((object) => this.availableTypes(object), await this.kernel.fields.all());
  }

  /** Types of action that rules about this kind of record may have. */
  availableTypes(object: string): string[] {
    return this.executors.types(object);
  }

  private async readActions(
    path: string,
    actions: readonly unknown[],
    object: string,
    problems: ErrorDetail[],
    looksUp: boolean,
  ): Promise<Action[]> {
    const named: NamedRecord[] = [];
    const book = await this.kernel.fields.all();
    const read = readActions(path, actions, {
      available: this.availableTypes(object),
      fields: workspaceFields('ticket', book),
      defined: book.get('ticket') ?? [],
      variables: templateVariables(object),
      ranges: this.ranges,
      problems,
      named,
    });
    if (looksUp) await this.requireExisting(named, problems);
    refuseProblems(problems);
    const kept = read.map((action, index) => withSealedHeaders(`${path}[${index}]`, action, this.secrets, problems));
    refuseProblems(problems);
    return kept;
  }

  /** One look-up per resource, whatever the number of ids. Users must be active: others are given no tickets. */
  private async requireExisting(named: readonly NamedRecord[], problems: ErrorDetail[]): Promise<void> {
    for (const resource of new Set(named.map((record) => record.resource))) {
      const records = named.filter((record) => record.resource === resource);
      const known = await this.existing(resource, [...new Set(records.map(({ id }) => id))]);
      for (const { path, id } of records) {
        const what = resource === 'users' ? 'no active user' : 'nothing that exists';
        if (!known.has(id)) note(problems, path, 'not_found', `names ${id}, which is ${what}`);
      }
    }
  }

  private async existing(resource: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const table = resourceIfAny(resource)?.table;
    if (table === undefined) return new Set();
    const active = resource === 'users' ? ` AND status = 'active'` : '';
    const rows = await this.database.transaction(() =>
      this.database.query<{ id: number }>(
        `SELECT id FROM ${table} WHERE workspace_id = $1 AND id = ANY($2::bigint[])${active}`,
        [currentWorkspaceId(), ids],
      ),
    );
    return new Set(rows.map(({ id }) => id));
  }
}
