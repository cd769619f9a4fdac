import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A developer account: owns apps, and through them workspaces. */
@Entity('developers')
export class Developer {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  email: string | null;

  @Column('text', { default: 'active' })
  status: 'active' | 'suspended';

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at: Date;
}
