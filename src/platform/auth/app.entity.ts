import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A developer's app: owns exactly one workspace. */
@Entity('apps')
export class App {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint')
  workspace_id: number;

  @Column('bigint')
  developer_id: number;

  @Column('text')
  name: string;

  @Column('text', { default: 'active' })
  status: 'active' | 'suspended' | 'archived';

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at: Date;
}
