import type { MigrationInterface } from 'typeorm';

export class CreateQuotes1763800400000 implements MigrationInterface {
  async up(): Promise<void> {
    // Filled by its area.
  }

  async down(): Promise<void> {
    // Filled by its area.
  }
}
