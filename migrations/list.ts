import type { MigrationInterface } from 'typeorm';
import { CreatePlatform1763600000000 } from './1763600000000-create-platform';

/** Every migration, oldest first: one line each, no globs. */
export const migrations: (new () => MigrationInterface)[] = [CreatePlatform1763600000000];
