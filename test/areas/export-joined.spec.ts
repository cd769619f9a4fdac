import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { joined, type Piece } from '../../src/areas/exports/archive/joined';

const TEXTS = ['abc', '', 'd', 'efghij', ''];
const WHOLE = TEXTS.join('');

const pieces: readonly Piece[] = TEXTS.map((text) => ({
  bytes: text.length,
  open: ({ start, end }) => Promise.resolve(Readable.from([Buffer.from(text).subarray(start, end + 1)])),
}));

it('is the pieces one after the other, or any range of them', async () => {
  expect((await buffer(await joined(pieces))).toString()).toBe(WHOLE);
  for (let start = 0; start < WHOLE.length; start++)
    for (let end = start; end < WHOLE.length; end++)
      expect((await buffer(await joined(pieces, { start, end }))).toString()).toBe(WHOLE.slice(start, end + 1));
});

it('has nothing of no pieces', async () => {
  expect(await buffer(await joined([]))).toHaveLength(0);
});

it('opens each piece when it is needed, and closes what was opened when nobody reads on', async () => {
  const streams: Readable[] = [];
  const slow = [1, 2, 3].map((number) => ({
    bytes: 1,
    open: (): Promise<Readable> => {
      const stream = Readable.from([Buffer.from(String(number))]);
      streams.push(stream);
      return Promise.resolve(stream);
    },
  }));
  const stream = await joined(slow);
  expect(streams).toHaveLength(1);
  stream.destroy();
  await new Promise((resolve) => stream.once('close', resolve));
  expect([streams.length, streams[0]?.destroyed]).toEqual([1, true]);
});

it('fails at once where the first piece cannot be opened, and in the middle where another cannot', async () => {
  const lost: Piece = { bytes: 1, open: () => Promise.reject(new Error('lost')) };
  await expect(joined([lost])).rejects.toThrow('lost');
  await expect(joined([...pieces, lost]).then(buffer)).rejects.toThrow('lost');
});
