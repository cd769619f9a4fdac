import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../context/current';
import { Database } from '../database/database';
import { WorkspaceFacts } from '../database/workspace-facts';
import type { FieldBook, FieldDefinition } from './field-definition';

const NONE: readonly FieldDefinition[] = [];

/** The custom fields that the current workspace has defined. Whoever keeps the definitions registers. */
@Injectable()
export class CustomFields {
  private readBook: (() => Promise<FieldBook>) | null = null;

  constructor(
    private readonly facts: WorkspaceFacts,
    private readonly database: Database,
  ) {}

  /** Says who knows them; call it in `onModuleInit`. */
  register(load: () => Promise<FieldBook>): void {
    this.readBook = this.facts.declare(load);
  }

  /** The definitions in force for records of a kind, by its singular name; from memory. */
  async of(object: string): Promise<readonly FieldDefinition[]> {
    return (await this.readBook?.())?.get(object) ?? NONE;
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
