import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A bearer token. Only its SHA-256 is kept; prefix and last four characters let a person recognise it. */
@Entity('tokens')
export class Token {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint')
  workspace_id: number;

  @Column('text')
  type: 'developer' | 'tenant';

  @Column('text')
  name: string;

  @Column('bytea', { select: false })
  hash: Buffer;

  @Column('text')
  prefix: string;

  @Column('text')
  last4: string;

  @Column('text', { array: true })
  scopes: string[];

  /** The user of the workspace that acts through this token. */
  @Column('bigint', { nullable: true })
  user_id: number | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expires_at: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revoked_at: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_used_at: Date | null;

  /** The token that replaced this one; this one stays valid until `expires_at`. */
  @Column('bigint', { nullable: true })
  rotated_to: number | null;
}
