import type { MigrationInterface } from 'typeorm';

export class CreateKb1763800100000 implements MigrationInterface {
  async up(): Promise<void> {
    // Filled by its area.
  }

  async down(): Promise<void> {
    // Filled by its area.
  }
}
