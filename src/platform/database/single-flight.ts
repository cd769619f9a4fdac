/** What the tables of questions keep of one that is answered is nothing (`InFlight` says why they would). */
interface Flight {
  answer: Promise<unknown> | null;
}

/**
 * Questions that many ask at one time, asked once: who asks while the same question is under way waits for the next time it is
 * asked, with everybody else who has come by then. So no answer was begun before the request for it, and of one question there is
 * one under way, however many ask. (Go's `singleflight` gives the answer under way instead, which may be older than the request.)
 */
export class SingleFlight {
  private readonly underWay = new Map<string, Flight>();
  private readonly next = new Map<string, Flight>();

  /**
   * @param question the same text for what has the same answer
   * @param ask asks it; its failure is everybody's who waited for this answer
   */
  of<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const next = this.next.get(question)?.answer as Promise<T> | undefined;
    return next ?? this.afterThis(question, ask) ?? this.begin(question, ask);
  }

  private afterThis<T>(question: string, ask: () => Promise<T>): Promise<T> | null {
    const current = this.underWay.get(question)?.answer;
    if (!current) return null;
    const flight: Flight = { answer: null };
    const begin = (): Promise<T> => {
      this.next.delete(question);
      flight.answer = null;
      return this.begin(question, ask);
    };
    const answer = current.then(begin, begin);
    flight.answer = answer;
    this.next.set(question, flight);
    return answer;
  }

  private begin<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const answer = ask();
    const flight: Flight = { answer };
    this.underWay.set(question, flight);
    // First of those that wait for it, so that the next begins with nothing under way.
    const end = (): void => {
      this.underWay.delete(question);
      flight.answer = null;
    };
    answer.then(end, end);
    return answer;
  }
}
