import type { MigrationInterface } from 'typeorm';

export class CreateAssets1763800200000 implements MigrationInterface {
  async up(): Promise<void> {
    // Filled by its area.
  }

  async down(): Promise<void> {
    // Filled by its area.
  }
}
