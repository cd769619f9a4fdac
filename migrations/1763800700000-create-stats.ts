import type { MigrationInterface } from 'typeorm';

export class CreateStats1763800700000 implements MigrationInterface {
  async up(): Promise<void> {
    // Filled by its area.
  }

  async down(): Promise<void> {
    // Filled by its area.
  }
}
