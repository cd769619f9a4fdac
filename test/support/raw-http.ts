import { connect } from 'node:net';

/** Sends bytes as they are and reads until the server ends the connection: for requests no HTTP client would make. */
export function rawRequest(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A server that has refused what came first need not read the rest: once it has answered that is no failure.
    socket.once('error', (error) => chunks.length > 0 || reject(error));
    socket.once('close', () => {
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
  });
}

/** Status and JSON body of a raw answer. */
export function parseRaw(answer: string): {
  status: number;
  head: string;
  body: Record<string, Record<string, unknown>>;
} {
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  return {
    status: Number(head.split(' ', 2)[1]),
    head,
    body: JSON.parse(body || '{}') as Record<string, Record<string, unknown>>,
  };
}
