import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../context/current';
import { Database } from '../database/database';
import { WorkspaceFacts } from '../database/workspace-facts';
import { holdTopic } from '../database/workspace-lock';
import type { FieldBook, FieldDefinition } from './field-definition';

const NONE: readonly FieldDefinition[] = [];
/** Options are taken away by one, while nobody gives any to records. */
const OPTIONS = 'custom_fields.options';

/** The custom fields that the current workspace has defined. Whoever keeps the definitions registers. */
@Injectable()
export class CustomFields {
  private readBook: (() => Promise<FieldBook>) | null = null;
  private load: (() => Promise<FieldBook>) | null = null;

  constructor(
    private readonly facts: WorkspaceFacts,
    private readonly database: Database,
  ) {}

  /** Says who knows them; call it in `onModuleInit`. */
  register(load: () => Promise<FieldBook>): void {
    this.load = load;
    this.readBook = this.facts.declare(load);
  }

  /** The definitions in force for records of a kind, by its singular name; from memory. */
  async of(object: string): Promise<readonly FieldDefinition[]> {
    return (await this.readBook?.())?.get(object) ?? NONE;
  }

  /** The same as they are stored, with options that are there until the end of the unit of work: for who gives one to a record. */
  async held(object: string): Promise<readonly FieldDefinition[]> {
    await holdTopic(this.database, OPTIONS, true);
    return (await this.load?.())?.get(object) ?? NONE;
  }

  /** Until the end of the unit of work nobody gives an option to a record; what was given before is committed. */
  holdOptions(): Promise<void> {
    return holdTopic(this.database, OPTIONS);
  }

  /** All definitions in force. */
  async all(): Promise<FieldBook> {
    return (await this.readBook?.()) ?? new Map<string, readonly FieldDefinition[]>();
  }

  /** To be called in the unit of work that changes definitions of the current workspace. */
  changed(): void {
    const workspaceId = currentWorkspaceId();
    this.database.afterCommit(() => this.facts.forget(workspaceId));
  }
}
