/**
 * Questions that many ask at one time, asked once: who asks while the same question is under way waits for the next time it is
 * asked, with everybody else who has come by then. So no answer was begun before the request for it, and of one question there is
 * one under way, however many ask. (Go's `singleflight` gives the answer under way instead, which may be older than the request.)
 */
export class SingleFlight {
  private readonly underWay = new Map<string, Promise<unknown>>();
  private readonly next = new Map<string, Promise<unknown>>();

  /**
   * @param question the same text for what has the same answer
   * @param ask asks it; its failure is everybody's who waited for this answer
   */
  of<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const answer = this.next.get(question) ?? this.afterThis(question, ask) ?? this.begin(question, ask);
    return answer as Promise<T>;
  }

  private afterThis<T>(question: string, ask: () => Promise<T>): Promise<T> | null {
    const current = this.underWay.get(question);
    if (!current) return null;
    const begin = (): Promise<T> => {
      this.next.delete(question);
      return this.begin(question, ask);
    };
    const next = current.then(begin, begin);
    this.next.set(question, next);
    return next;
  }

  private begin<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const answer = ask();
    // First of those that wait for it, so that the next begins with nothing under way.
    const end = (): void => void this.underWay.delete(question);
    this.underWay.set(question, answer);
    answer.then(end, end);
    return answer;
  }
}
