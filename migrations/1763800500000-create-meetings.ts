import type { MigrationInterface } from 'typeorm';

export class CreateMeetings1763800500000 implements MigrationInterface {
  async up(): Promise<void> {
    // Filled by its area.
  }

  async down(): Promise<void> {
    // Filled by its area.
  }
}
