import type { MigrationInterface } from 'typeorm';

export class CreateSearch1763800600000 implements MigrationInterface {
  async up(): Promise<void> {
    // Filled by its area.
  }

  async down(): Promise<void> {
    // Filled by its area.
  }
}
