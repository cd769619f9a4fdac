import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { ApiError, fail } from '../../platform/errors/api-error';
import { ValidationPipe } from '../../platform/http/validation-pipe';
import { type Offer, SlotFinder } from './availability/slot-finder';
import { CreateMeeting } from './meeting.dto';
import { MeetingsService } from './meetings.service';

/** Days looked at together; what is still free on the first of them is what is wanted. */
const STEP_MS = 31 * 86_400_000;
const ATTEMPTS = 3;

/** A meeting without a time: it takes the next one there is. */
export type NextMeeting = Partial<Omit<CreateMeeting, 'starts_at'>> & { type_id: number };

/** Books the next free slot of a type, for those who cannot choose one. */
@Injectable()
export class NextMeetings {
  constructor(
    private readonly database: Database,
    private readonly finder: SlotFinder,
    private readonly meetings: MeetingsService,
    private readonly pipe: ValidationPipe,
  ) {}

  /**
   * Answers the id of the meeting, or of the shared one that was joined.
   *
   * @throws ApiError 422 when the body is wrong or nothing is free as far ahead as the type can be booked
   */
  async book(body: NextMeeting): Promise<{ id: number; starts_at: string }> {
    return this.database.transaction(async () => {
      const hostIds = body.host_id === undefined ? null : [body.host_id];
      for (let attempt = 1; ; attempt++) {
        const start = await this.nextStart(await this.finder.offer(body.type_id, hostIds, undefined));
        const starts_at = new Date(start).toISOString();
        try {
          const { id } = await this.meetings.createKnown(this.pipe.validate({ ...body, starts_at }, CreateMeeting));
          return { id, starts_at };
        } catch (error) {
          // Somebody else was faster; after the first attempt the hosts are held, so the next look is the last.
          if (attempt === ATTEMPTS || !wasTaken(error)) throw error;
        }
      }
    });
  }

  private async nextStart(offer: Offer): Promise<number> {
    const { earliest, latest } = offer.window;
    for (let from = earliest; from <= latest; from += STEP_MS) {
      const [slot] = await this.finder.slots(offer, from, Math.min(from + STEP_MS, latest + 1));
      if (slot) return slot.start;
    }
    fail('validation_error', 'There is no free slot as far ahead as this type of meeting can be booked.');
  }
}

function wasTaken(error: unknown): boolean {
  return error instanceof ApiError && error.extras.details?.[0]?.code === 'slot_unavailable';
}
