import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A customer organisation: owns one workspace under a licence. */
@Entity('tenants')
export class Tenant {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('text')
  name: string;

  @Column('text', { default: 'active' })
  status: 'active' | 'suspended';

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at: Date;
}
