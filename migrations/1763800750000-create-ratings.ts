import type { MigrationInterface } from 'typeorm';

export class CreateRatings1763800750000 implements MigrationInterface {
  async up(): Promise<void> {
    // Filled by its area.
  }

  async down(): Promise<void> {
    // Filled by its area.
  }
}
