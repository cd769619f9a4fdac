declare module 'autocannon' {
  /** One request of the round that every connection repeats. */
  interface Request {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string;
    setupRequest?: (request: Request) => Request;
  }

  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration?: number;
    /** Requests to send in all, instead of a duration. */
    amount?: number;
    /** Milliseconds between two looks at whether it is at its end; 1,000 unless given. */
    sampleInt?: number;
    headers?: Record<string, string>;
    requests: Request[];
  }

  interface Result {
    /** Seconds. */
    duration: number;
    errors: number;
    timeouts: number;
    non2xx: number;
    '2xx': number;
  }

  function autocannon(options: Options): Promise<Result>;
  namespace autocannon {
    export { Options, Request, Result };
  }
  export = autocannon;
}
