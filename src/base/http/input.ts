// The input of a managing call: its body as JSON whatever its Content-Type says, because curl and simple clients
// declare everything as a form (docs/management.md). A form is one only where a door takes forms.
import { Readable } from 'node:stream'
import { koaBody } from 'koa-body'
import { jsonBytes, readBody } from './body.ts'
import type { Call, RequestBody } from './call.ts'
import { badRequest, shorten } from '../errors.ts'
import type { Json } from '../json.ts'
import { readJson } from '../json.ts'
import { parseQuery } from './query-string.ts'
import { holdersOfCall, roomOf } from './room.ts'
import { inputWeight } from '../turns.ts'
import type { Turns } from '../turns.ts'

export type Input = Json | undefined

const mostInputBytes = 4 * 1024 * 1024

/** A body can be read once, and its input be asked for again. */
const inputs = new WeakMap<NonNullable<RequestBody>, Promise<Input>>()

/** Undefined without a body, or with an empty one. `wanted`: the form that a body which is no JSON should have had. */
export const readInput = async (
  call: Call,
  forms: 'form too' | 'no form' = 'no form',
  wanted?: string,
  turns = roomOf(call).turns,
): Promise<Input> => {
  if (call.body === undefined) return undefined
  const reading = inputs.get(call.body) ?? readOnce(call, forms === 'form too', wanted, turns)
  inputs.set(call.body, reading)
  return reading
}

const readOnce = async (call: Call, takesForms: boolean, wanted: string | undefined, turns: Turns): Promise<Input> => {
  const { bytes, release } = await readBody(call, mostInputBytes)
  try {
    const weight = inputWeight(bytes.length)
    // Before it is read, and what it has is judged: nobody else waits for more than a turn of that.
    if (weight > 1) await new Promise<void>((enter) => turns.begin(weight, () => holdersOfCall(call), enter))
    if (jsonBytes(bytes).length === 0) return undefined
    const text = jsonBytes(Buffer.from(await textByKoa(bytes)))
    return takesForms && isForm(call.headers['content-type'], text)
      ? formInput(text)
      : await readJson(text, wanted, holdersOfCall(call))
  } finally {
    release()
  }
}

/**
 * koa-body is given a body that body.ts has let in: by itself it would hold any number of bodies, for as long as they
 * take.
 */
const textByKoa = async (bytes: Buffer): Promise<string> => {
  const req = Object.assign(Readable.from([bytes], { objectMode: false }), { headers: {} })
  const context = { req, method: 'POST', is: () => 'text/plain', request: { body: '' } }
  await koaText(context as never, async () => {})
  return context.request.body
}

const koaText = koaBody({
  json: false,
  urlencoded: false,
  text: true,
  multipart: false,
  textLimit: mostInputBytes,
  onError: () => {
    throw badRequest('the body cannot be read')
  },
})

/** Whether it says that it is a form, and does not begin as JSON. */
const isForm = (contentType = '', bytes: Buffer): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(contentType) && !/^\s*[[{]/.test(bytes.toString('latin1', 0, 64))

/** Names are exact here, and one given twice is refused. */
const formInput = (bytes: Buffer): Readonly<Record<string, string>> => {
  const { pairs, broken } = parseQuery(bytes.toString('utf8'))
  if (broken !== undefined) throw badRequest('the form has a broken escape')
  const input = new Map<string, string>()
  for (const { name, value } of pairs) {
    if (input.has(name)) throw badRequest(`${shorten(name)} is given twice`)
    input.set(name, value)
  }
  return Object.fromEntries(input)
}
