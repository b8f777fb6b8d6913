// A tool: its arguments, by the readers that judge them (base/http/members.ts), and the calls that it makes.
import type { Members, Shape } from '../base/http/members.ts'
import { readMembers, schemaOf } from '../base/http/members.ts'
import { badRequest } from '../base/errors.ts'
import type { Schema } from '../base/http/schema.ts'
import type { Permission } from '../core/caller.ts'
import type { InnerCalls } from './inner-call.ts'

export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Schema
  /** Listed only for callers with this right, be it to one component. */
  readonly writes: Permission | undefined
  readonly run: (calls: InnerCalls, given: unknown) => Promise<string>
}

type Described<S extends Shape, Required extends keyof S & string> = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly shape: S
  readonly required: readonly Required[]
  readonly writes?: Permission
  readonly run: (calls: InnerCalls, given: Given<S, Required>) => Promise<string>
}

type Given<S extends Shape, Required extends keyof S> = Omit<Members<S>, Required> & {
  readonly [Name in Required]: Exclude<ReturnType<S[Name]>, undefined>
}

export const tool = <S extends Shape, Required extends keyof S & string = never>({
  shape,
  required,
  writes,
  run,
  ...about
}: Described<S, Required>): Tool => ({
  ...about,
  inputSchema: schemaOf(shape, required),
  writes,
  run: (calls, input) => {
    const given = readMembers('the arguments', input ?? {}, shape)
    const missing = required.filter((name) => given[name] === undefined)
    if (missing.length > 0) throw badRequest(`missing: ${missing.join(', ')}`)
    return run(calls, given as Given<S, Required>)
  },
})
