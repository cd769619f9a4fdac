import { Injectable } from '@nestjs/common';

/** Somebody who asks requesters for ratings in another way than by mail. Inside a unit of work. */
export type AsksElsewhere = (ticketId: number) => Promise<boolean>;

/** Nobody is asked twice: who is asked elsewhere gets no mail. */
@Injectable()
export class RatingAskers {
  private readonly others: AsksElsewhere[] = [];

  /** Called in `onModuleInit`. */
  register(asks: AsksElsewhere): void {
    this.others.push(asks);
  }

  async isAskedElsewhere(ticketId: number): Promise<boolean> {
    for (const asks of this.others) if (await asks(ticketId)) return true;
    return false;
  }
}
