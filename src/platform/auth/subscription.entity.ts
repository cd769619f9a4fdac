import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A developer's subscription or a tenant's licence; at most one is active per workspace. */
@Entity('subscriptions')
export class Subscription {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint')
  workspace_id: number;

  @Column('bigint')
  plan_id: number;

  @Column('text', { default: 'active' })
  status: 'active' | 'cancelled';

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  started_at: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  ended_at: Date | null;
}
