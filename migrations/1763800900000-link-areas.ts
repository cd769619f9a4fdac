import type { MigrationInterface } from 'typeorm';

export class LinkAreas1763800900000 implements MigrationInterface {
  async up(): Promise<void> {
    // Filled by its area.
  }

  async down(): Promise<void> {
    // Filled by its area.
  }
}
