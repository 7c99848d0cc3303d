-- Keeps an entry, or with an empty id only drops what has expired of an owner.
--
-- PREFIX:entry:ID     a hash: what was put last, once, under the empty name, and the owners that have put
--                     it; it expires, and goes with its last owner
-- PREFIX:order:OWNER  its ids by time
-- PREFIX:sizes:OWNER  the bytes of each
-- PREFIX:weights      all owners by what they take up: their bytes, and a part for each place
-- PREFIX:totals       entries and bytes
-- PREFIX:tool:TOOL    the newest ids of a tool, for completion
local prefix, owner, id, tool, data = KEYS[1] .. ':', ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local ttl, replaces = tonumber(ARGV[5]), ARGV[6] == '1'
local max_entries, max_bytes = tonumber(ARGV[7]), tonumber(ARGV[8])
local own_entries, own_bytes = tonumber(ARGV[9]), tonumber(ARGV[10])
local part = math.max(math.floor(max_bytes / max_entries), 1)
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local weights, totals = prefix .. 'weights', prefix .. 'totals'

local function order(of) return prefix .. 'order:' .. of end
local function sizes(of) return prefix .. 'sizes:' .. of end

local function forget(of, which)
  local size = redis.call('HGET', sizes(of), which)
  redis.call('ZREM', order(of), which)
  if size then
    redis.call('HDEL', sizes(of), which)
    local entry = prefix .. 'entry:' .. which
    redis.call('HDEL', entry, of)
    if redis.call('HLEN', entry) == 1 then redis.call('DEL', entry) end
    redis.call('HINCRBY', totals, 'entries', -1)
    -- The negative of nothing would be -0, which Redis does not take.
    redis.call('HINCRBY', totals, 'bytes', 0 - size)
    redis.call('ZINCRBY', weights, -(size + part), of)
  end
  if redis.call('ZCARD', order(of)) == 0 then redis.call('ZREM', weights, of) end
end

local function forget_oldest(of)
  local oldest = redis.call('ZRANGE', order(of), 0, 0)[1]
  if not oldest then return false end
  forget(of, oldest)
  return true
end

local expired = redis.call('ZRANGEBYSCORE', order(owner), '-inf', now - ttl * 1000, 'LIMIT', 0, 1000)
for _, which in ipairs(expired) do forget(owner, which) end
if id == '' then return #expired end

local entry, bytes = prefix .. 'entry:' .. id, #data
if not replaces and redis.call('HEXISTS', entry, owner) == 1 then
  redis.call('PEXPIRE', entry, ttl)
  redis.call('ZADD', order(owner), now, id)
  return 0
end
forget(owner, id)

local function is_over_quota()
  local entries = redis.call('ZCARD', order(owner))
  local weight = tonumber(redis.call('ZSCORE', weights, owner) or 0)
  return entries >= own_entries or weight - entries * part + bytes > own_bytes
end
while is_over_quota() and forget_oldest(owner) do end
local function is_full()
  local entries = tonumber(redis.call('HGET', totals, 'entries') or 0)
  return entries >= max_entries or tonumber(redis.call('HGET', totals, 'bytes') or 0) + bytes > max_bytes
end
while is_full() do
  local heaviest = redis.call('ZRANGE', weights, -1, -1)[1]
  if not heaviest or not forget_oldest(heaviest) then break end
end

redis.call('HSET', entry, '', string.format('%d %s%s', #tool, tool, data), owner, 1)
redis.call('PEXPIRE', entry, ttl)
redis.call('ZADD', order(owner), now, id)
redis.call('HSET', sizes(owner), id, bytes)
redis.call('ZINCRBY', weights, bytes + part, owner)
redis.call('HINCRBY', totals, 'entries', 1)
redis.call('HINCRBY', totals, 'bytes', bytes)
if tool ~= '' then
  local newest = prefix .. 'tool:' .. tool
  redis.call('ZADD', newest, now, id)
  redis.call('ZREMRANGEBYRANK', newest, 0, -201)
  redis.call('PEXPIRE', newest, ttl)
end
return 0
