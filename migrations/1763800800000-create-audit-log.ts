import type { MigrationInterface } from 'typeorm';

export class CreateAuditLog1763800800000 implements MigrationInterface {
  async up(): Promise<void> {
    // Filled by its area.
  }

  async down(): Promise<void> {
    // Filled by its area.
  }
}
