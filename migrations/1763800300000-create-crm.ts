import type { MigrationInterface } from 'typeorm';

export class CreateCrm1763800300000 implements MigrationInterface {
  async up(): Promise<void> {
    // Filled by its area.
  }

  async down(): Promise<void> {
    // Filled by its area.
  }
}
