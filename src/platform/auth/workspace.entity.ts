import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { WorkspaceSettings } from '../context/access';

/** An isolated helpdesk: everything else carries its id. Owned by a developer's app or by a tenant. */
@Entity('workspaces')
export class Workspace {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('text')
  slug: string;

  @Column('text')
  name: string;

  @Column('text')
  kind: 'developer' | 'tenant';

  @Column('bigint', { nullable: true })
  developer_id: number | null;

  @Column('bigint', { nullable: true })
  tenant_id: number | null;

  @Column('text', { default: 'UTC' })
  timezone: string;

  @Column('text', { default: 'en' })
  locale: string;

  @Column('text', { default: 'EUR' })
  currency: string;

  @Column('jsonb', { default: {} })
  settings: WorkspaceSettings;

  @Column('integer', { default: 1 })
  version: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at: Date;
}
