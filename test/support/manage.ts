// The management API as tests call it (docs/management.md): by an API key that may do everything, or only what is
// given.
//
//   const manage = await openManager(service)
//   const unit = await manage.make('unit', { id: 'c', symbol: '°C' })
//   assert.deepEqual(await manage.ask('DELETE', `/api/unit/${unit.uid}`), { status: 200, body: done })
import assert from 'node:assert/strict'
import type { Capability } from '../../src/core/api-key.ts'
import { clientWith } from './http.ts'
import { addApiKey } from './people.ts'
import type { TestService } from './service.ts'

export type Answer = { readonly status: number; readonly body: unknown }

export type ShownStream = {
  readonly uid: string
  readonly componentUid?: string
  readonly templateUid?: string
  readonly id: string | null
  readonly name: string
  readonly kind: string
  readonly valueType: string
  readonly baseCycleId: string | null
  readonly unitUid: string | null
  readonly position: number
  readonly expression: string | null
  readonly variables: readonly unknown[]
  readonly version: number
}
export type ShownComponent = {
  readonly uid: string
  readonly id: string | null
  readonly name: string
  readonly version: number
  readonly stream: readonly ShownStream[]
}
export type ShownUnit = { readonly uid: string; readonly id: string | null }
export type ShownCycle = { readonly uid: string; readonly id: string | null }
export type ShownFolder = { readonly uid: string; readonly path: string }

export type Shown = {
  readonly component: ShownComponent
  readonly template: ShownComponent
  readonly stream: ShownStream
  readonly unit: ShownUnit
  readonly cycle: ShownCycle
  readonly folder: ShownFolder
}

export type Manager = {
  readonly ask: (method: string, path: string, input?: unknown) => Promise<Answer>
  /** POSTs, asserts that it was created, and gives what the reply shows of it. */
  readonly make: <Name extends keyof Shown>(name: Name, input: unknown) => Promise<Shown[Name]>
  readonly one: <Name extends keyof Shown>(name: Name, uid: string) => Promise<Shown[Name]>
  readonly list: <Name extends keyof Shown>(name: Name, query: string) => Promise<readonly Shown[Name][]>
}

export const done = { success: true, message: '' }

export const refusal = (status: number, code: string, message: string): Answer => ({
  status,
  body: { success: false, code, message },
})

const all: readonly Capability[] = [{ resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] }]

export const openManager = async (service: TestService, capabilities = all): Promise<Manager> => {
  const { secret } = await addApiKey(service.sql, service.organizationUid, capabilities)
  const call = clientWith(service, `api_key=${secret}`)
  const ask: Manager['ask'] = async (method, path, input) => {
    const { status, body } = await call(method, path, input)
    return { status, body }
  }
  return {
    ask,
    make: async (name, input) => part(await ask('POST', `/api/${name}`, input), 201, name) as never,
    one: async (name, uid) => part(await ask('GET', `/api/${name}/${uid}`), 200, name) as never,
    list: async (name, query) => part(await ask('GET', `/api/${name}?${query}`), 200, name) as never,
  }
}

const part = (answer: Answer, status: number, name: string): unknown => {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return (answer.body as Readonly<Record<string, unknown>>)[name]
}
