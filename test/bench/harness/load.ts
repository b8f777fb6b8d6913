// A load: requests that differ by a running number n, sent by so many connections for so many seconds, each
// connection sending its next request when it has the answer to the last. wrk sends them where it is installed (a
// script is written for it at run time), else driver.ts. Both fill in the same marks:
//
//   $DEVICE   n mixed over the load's devices     $VALUE  a number that changes with n     $TIME  see Times
//   $DATE     the same time as a text: 2026-11-15T04:00:00.123Z
//   $SAMPLE   in a batch's slices: the batch's `sample`, whose $VALUE and then $TIME or $DATE are those of the block
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atEnd, isInstalled, temporaryDirectory } from './process.ts'

export type Load = {
  readonly method: 'GET' | 'PUT' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Batch
  readonly devices: number
  readonly times: Times
}

/** Request n takes slice n mod slices, `blocks` times over, with a time of its own for each. */
export type Batch = {
  readonly open: string
  readonly slices: readonly string[]
  readonly sample: string
  readonly blocks: number
  readonly between: string
  readonly close: string
}

/** The times that requests carry: the first, the next by a step (negative: ever older), after `cycle` steps again. */
export type Times = { readonly fromMs: number; readonly stepMs: number; readonly cycle?: number }

export type Drive = {
  readonly connections: number
  readonly seconds: number
  /** The n to begin with: a load goes on where it stopped. */
  readonly from: number
}

export type Driven = {
  readonly requests: number
  readonly seconds: number
  readonly failures: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** The first n that was not sent. */
  readonly next: number
}

export const drive = async (baseUrl: string, load: Load, options: Drive): Promise<Driven> =>
  (await hasWrk()) ? driveByWrk(baseUrl, load, options) : driveByNode(baseUrl, load, options)

let isWrkThere: Promise<boolean> | undefined

const hasWrk = (): Promise<boolean> => {
  isWrkThere ??= isInstalled('wrk').then((found) => {
    if (!found)
      process.stdout.write('wrk is not installed: a slower driver in node takes its place (Debian: apt install wrk)\n')
    return found
  })
  return isWrkThere
}

const driveByNode = async (baseUrl: string, load: Load, options: Drive): Promise<Driven> => {
  const driver = fileURLToPath(new URL('driver.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', driver], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify({ baseUrl, load, ...options }))
  return JSON.parse(await outputOf(child.stdout)) as Driven
}

const driveByWrk = async (baseUrl: string, load: Load, options: Drive): Promise<Driven> => {
  const { connections, seconds } = options
  scriptDir ??= openScriptDir()
  const script = join(await scriptDir, 'load.lua')
  await writeFile(script, luaScript(load, options))
  // One thread is enough for all that two cores can answer, and keeps the requests in the order of their times.
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, baseUrl]
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = outputOf(child.stdout)
  const errors = outputOf(child.stderr)
  await once(child, 'close')
  const result = /RESULT (.*)/.exec(await output)?.[1]
  if (result === undefined) throw new Error(`wrk failed: ${await errors}${await output}`)
  return JSON.parse(result) as Driven
}

let scriptDir: Promise<string> | undefined

/** Removed at the end of a bench; the next one has another. */
const openScriptDir = (): Promise<string> => {
  atEnd(() => Promise.resolve((scriptDir = undefined)))
  return temporaryDirectory()
}

const outputOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  let text = ''
  for await (const chunk of stream) text += chunk.toString()
  return text
}

const luaScript = (
  { method, path, headers = {}, body, devices, times }: Load,
  { from, connections }: Drive,
): string => `
local n = ${from - 1}
wrk.method = ${lua(method)}
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`)
  .join('\n')}
local function device() return string.format('%.0f', (n * 7919) % ${devices}) end
local function value(k) return string.format('%.2f', 20 + (k * 7919 % 1000) / 100) end
local function ms(k) return ${times.fromMs} + ${times.stepMs} * (${times.cycle === undefined ? 'k' : `k % ${times.cycle}`}) end
local function time(k) return string.format('%.0f', ms(k)) end
local function date(k)
  return os.date('!%Y-%m-%dT%H:%M:%S', math.floor(ms(k) / 1000)) .. string.format('.%03dZ', ms(k) % 1000)
end
local function split(text, mark)
  local pieces, at = {}, 1
  while true do
    local first, last = string.find(text, mark, at, true)
    if not first then break end
    pieces[#pieces + 1] = string.sub(text, at, first - 1)
    at = last + 1
  end
  pieces[#pieces + 1] = string.sub(text, at)
  return pieces
end
local marks = { ['$DEVICE'] = device, ['$VALUE'] = function() return value(n) end, ['$TIME'] = function() return time(n) end,
  ['$DATE'] = function() return date(n) end }
local function filler(text)
  local parts = {}
  local rest = text
  while true do
    local first, last = string.find(rest, '%$%u+')
    if not first then break end
    parts[#parts + 1] = string.sub(rest, 1, first - 1)
    parts[#parts + 1] = marks[string.sub(rest, first, last)]
    rest = string.sub(rest, last + 1)
  end
  parts[#parts + 1] = rest
  return function()
    local filled = {}
    for i = 1, #parts do
      local part = parts[i]
      filled[i] = type(part) == 'string' and part or part()
    end
    return table.concat(filled)
  end
end
local path = filler(${lua(path)})
${typeof body === 'object' ? luaBatch(body) : `local body = ${body === undefined ? 'function() end' : `filler(${lua(body)})`}`}
function request()
  n = n + 1
  return wrk.format(nil, path(), nil, body())
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"seconds":%.6f,"failures":%d,"p50Ms":%.3f,"p99Ms":%.3f,"next":%.0f}\\n',
    summary.requests, summary.duration / 1e6, errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, ${from} + summary.requests + ${connections + 100}))
end
`

const luaBatch = ({ open, slices, sample, blocks, between, close }: Batch): string => `
local slices = {}
${slices.map((slice, index) => `slices[${index + 1}] = split(${lua(slice)}, '$SAMPLE')`).join('\n')}
local before, middle, mark = string.match(${lua(sample)}, '^(.-)%$VALUE(.-)(%$%u+)$')
local moment = mark == '$DATE' and date or time
local function body()
  local pieces = slices[n % #slices + 1]
  local round = math.floor(n / #slices)
  local parts = {}
  for block = 0, ${blocks - 1} do
    local k = round * ${blocks} + block
    parts[#parts + 1] = table.concat(pieces, before .. value(k) .. middle .. moment(k))
  end
  return ${lua(open)} .. table.concat(parts, ${lua(between)}) .. ${lua(close)}
end`

/** A Lua string; JSON's escapes are Lua's, as long as there are no others than these. */
const lua = (text: string) => JSON.stringify(text)
