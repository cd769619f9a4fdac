import { BUCKETS, PARTS } from './sliding-window';

/** So many times the admissions granted ahead stay free for everybody else. */
const FREE_PER_LEASED = 32;

/** The clock of Redis: all nodes share it, so theirs need not agree. */
export const REDIS_CLOCK = `redis.call('TIME')`;

/**
 * The sliding window in Redis, one call for any number of waiting requests of one token.
 *
 * The state is one hash: a ring of the counts of each sixtieth of the window (and, as `l<slot>`, the microsecond of the last
 * request in each) with its running total, so a call visits only the buckets that expired since the last one. It vanishes by
 * itself a window after the last admission.
 *
 * - `KEYS[1]` the token's hash
 * - `ARGV` limit, requests waiting, requests that were admitted elsewhere and are not counted yet, the same in case
 *   Redis has lost the state, milliseconds of the window; admissions wanted ahead (`Lease`), of those granted earlier so many to be
 *   given back, and the part in which they are counted
 * - answers: requests admitted, total now, microseconds until one more fits, generation of the state, 1 when this call
 *   began it, admissions granted ahead, the part in which all these are counted, microseconds until it is over
 *
 * @param clock Lua expression of the time as {seconds, microseconds}
 */
export function slidingWindowScript(clock: string): string {
  return `
local time = ${clock}
local window = tonumber(ARGV[5])
local width = window * 1000 / ${PARTS}
local part = math.floor((tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000) * ${PARTS} / window)
local micros = tonumber(time[1]) * 1000000 + tonumber(time[2]) - part * width
local limit, wanted, owed, lost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local state = redis.call('HMGET', KEYS[1], 'head', 'total', 'generation')
local head, total, generation = tonumber(state[1]), tonumber(state[2]), state[3]
local fresh = not head
if fresh then
  head, total, owed = part, 0, lost
  generation = time[1] .. '.' .. time[2]
elseif part < head then
  part, micros = head, 0
end
local moved = part - head
if moved > 0 then
  local slots = {}
  for step = 1, math.min(moved, ${BUCKETS}) do slots[step] = (head + step) % ${BUCKETS} end
  local counts, used = redis.call('HMGET', KEYS[1], unpack(slots)), {}
  for index, count in ipairs(counts) do
    if count then
      total = total - tonumber(count)
      used[#used + 1] = slots[index]
      used[#used + 1] = 'l' .. slots[index]
    end
  end
  if #used > 0 then redis.call('HDEL', KEYS[1], unpack(used)) end
end
local oldest = (part + 1) % ${BUCKETS}
local edge = redis.call('HMGET', KEYS[1], oldest, 'l' .. oldest)
if edge[1] and tonumber(edge[2] or 0) <= micros then
  total = total - tonumber(edge[1])
  redis.call('HDEL', KEYS[1], oldest, 'l' .. oldest)
end
local back, counted = tonumber(ARGV[7] or 0), tonumber(ARGV[8] or 0)
if back > 0 and not fresh and counted <= part and counted > part - ${BUCKETS} then
  back = math.min(back, tonumber(redis.call('HGET', KEYS[1], counted % ${BUCKETS}) or 0))
  total = total - back
  redis.call('HINCRBY', KEYS[1], counted % ${BUCKETS}, -back)
else
  back = 0
end
total = total + owed
local admitted = math.max(0, math.min(wanted, limit - total))
local ahead = 0
if admitted == wanted then ahead = math.max(0, math.min(tonumber(ARGV[6] or 0), math.floor((limit - total - admitted) / ${FREE_PER_LEASED}))) end
total = total + admitted + ahead
if owed + admitted + ahead > 0 then
  redis.call('HINCRBY', KEYS[1], part % ${BUCKETS}, owed + admitted + ahead)
  local last = 'l' .. (part % ${BUCKETS})
  local latest = ahead > 0 and width or micros
  redis.call('HSET', KEYS[1], last, math.max(tonumber(redis.call('HGET', KEYS[1], last) or 0), latest))
end
if fresh or moved > 0 or back + owed + admitted + ahead > 0 or edge[1] then
  redis.call('HSET', KEYS[1], 'head', part, 'total', total, 'generation', generation)
  if fresh or moved > 0 then redis.call('PEXPIRE', KEYS[1], math.ceil(width * ${BUCKETS + 1} / 1000)) end
end
local free = 0
if total >= limit then
  local excess, slots = total - limit + 1, {}
  for offset = 1, ${BUCKETS} do slots[offset] = (part + offset) % ${BUCKETS} end
  for offset, count in ipairs(redis.call('HMGET', KEYS[1], unpack(slots))) do
    excess = excess - tonumber(count or 0)
    if excess <= 0 then
      local last = tonumber(redis.call('HGET', KEYS[1], 'l' .. slots[offset]) or 0)
      free = math.max(0, math.min((offset - 1) * width + last - micros, window * 1000))
      break
    end
  end
end
return { admitted, total, math.ceil(free), generation, fresh and 1 or 0, ahead, part, math.floor(width - micros) }
`;
}

/**
 * Which nodes share the limits: each calls this every few seconds with its own name.
 *
 * - `KEYS[1]` sorted set of node names by the second they were last seen
 * - `ARGV` own name, seconds after which a silent node no longer counts
 * - answers: number of nodes
 */
export const NODES_SCRIPT = `
local second = tonumber(redis.call('TIME')[1])
redis.call('ZADD', KEYS[1], second, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', second - tonumber(ARGV[2]))
redis.call('EXPIRE', KEYS[1], 60)
return redis.call('ZCARD', KEYS[1])
`;
