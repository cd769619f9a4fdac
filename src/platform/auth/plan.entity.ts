import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** What a subscription or licence grants. A rate or quota of 0 means unlimited. */
@Entity('plans')
export class Plan {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('text')
  key: string;

  @Column('text')
  name: string;

  @Column('integer')
  rate_limit_per_minute: number;

  @Column('bigint')
  monthly_quota: number;

  @Column('boolean', { default: false })
  overage_enabled: boolean;

  /** Megabytes that the files of a workspace may have; 0 = unlimited, null = as the installation says. */
  @Column('integer', { nullable: true })
  storage_mb: number | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at: Date;
}
