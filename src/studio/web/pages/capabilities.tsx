// The rows of an API key's capabilities: what it may do, with components picked by name, and shown by it.
import { useState } from 'preact/hooks'
import type { EntityName, EntityOf } from '../../../client/client.ts'
import { useLoad } from '../load.ts'
import { to } from '../router.ts'
import { texts } from '../texts.ts'

const words = texts.security.capability

export type Capability = EntityOf<'api_key'>['capabilities'][number]

/**
 * What a new key is offered. A component that is picked takes its place while nobody has touched it: a key that is meant for
 * one component would open all others too.
 */
export const allFeeds: Capability = { resource: 'component/*/feed', methods: ['GET', 'PUT'] }

const methods = ['GET', 'PUT', 'POST', 'DELETE'] as const

/** A row for people: the one thing that it is limited to has its name, and its uid as a title. */
export const CapabilityText = ({ resource, methods: given = [] }: Capability) => {
  const [, entity = '', uid = '', rest = ''] = /^(\w+)\/([^/*]+)(.*)$/.exec(resource) ?? []
  return (
    <div>
      {given.length === 0 ? words.nothing : given.join(', ')}{' '}
      {uid === '' ? resource : <Limited entity={entity as EntityName} uid={uid} rest={rest} />}
    </div>
  )
}

const Limited = ({
  entity,
  uid,
  rest,
}: {
  readonly entity: EntityName
  readonly uid: string
  readonly rest: string
}) => {
  const found = useName(entity, uid)
  const name = found.isLoading ? '…' : (found.value ?? uid)
  return (
    <>
      {entity}/
      {withPage.has(entity) ? (
        <a href={to([entity, uid])} title={uid}>
          {name}
        </a>
      ) : (
        <span title={uid}>{name}</span>
      )}
      {rest}
    </>
  )
}

const withPage: ReadonlySet<string> = new Set(['component', 'connector', 'dashboard', 'stream', 'template'])

/** Undefined when there is none, and for an empty uid. */
const useName = (entity: EntityName, uid: string) =>
  useLoad(`name of ${entity} ${uid}`, async (calls, signal) => {
    if (uid === '') return undefined
    const one: Named = await calls.entities(entity).show(uid, { signal })
    return [one.name, one.id, one.email, one.path].find(Boolean)
  })

type Named = { readonly [member in 'name' | 'id' | 'email' | 'path']?: string | null }

export const Capabilities = ({
  rows,
  change,
}: {
  readonly rows: readonly Capability[]
  readonly change: (rows: readonly Capability[]) => void
}) => {
  const replace = (index: number, row: Capability) => change(rows.map((each, at) => (at === index ? row : each)))
  return (
    <fieldset class="plain stack">
      <legend>{words.title}</legend>
      {rows.map((row, index) => (
        <div class="row" key={index}>
          <input
            class="grow"
            aria-label={words.resource}
            list="resources"
            value={row.resource}
            onInput={(event) => replace(index, { ...row, resource: event.currentTarget.value })}
          />
          {methods.map((method) => (
            <label class="check" key={method}>
              <input
                type="checkbox"
                checked={row.methods?.includes(method) ?? false}
                onChange={(event) =>
                  replace(index, {
                    ...row,
                    methods: methods.filter((each) =>
                      each === method ? event.currentTarget.checked : (row.methods?.includes(each) ?? false),
                    ),
                  })
                }
              />
              {method}
            </label>
          ))}
          <button type="button" class="bare danger" onClick={() => change(rows.filter((_, at) => at !== index))}>
            {texts.remove}
          </button>
          <ComponentName resource={row.resource} />
        </div>
      ))}
      <datalist id="resources">
        {resources.map((resource) => (
          <option value={resource} />
        ))}
      </datalist>
      <div class="row top">
        <button type="button" onClick={() => change([...rows, { resource: 'component/*/feed', methods: ['GET'] }])}>
          {words.add}
        </button>
        <ComponentPicker
          pick={(uid) =>
            change([
              ...rows.filter((row) => row !== allFeeds),
              { resource: `component/${uid}/feed`, methods: ['GET', 'PUT'] },
            ])
          }
        />
      </div>
    </fieldset>
  )
}

const resources = [
  '*',
  'component',
  'component/*/feed',
  'component/*/property',
  'connector/*/sink',
  'gql',
  'template',
  'stream',
  'cycle',
  'unit',
  'folder',
  'query',
  'dashboard',
  'connector',
  'connection',
  'user',
  'api_key',
  'oauth_client',
  'organization',
  'audit',
  'metrics',
]

/** A row names a component by its uid; people know it by its name, which stands beside it. */
const ComponentName = ({ resource }: { readonly resource: string }) => {
  const [, uid = ''] = /^component\/([^/*]+)/.exec(resource) ?? []
  const found = useName('component', uid)
  if (uid === '' || found.isLoading) return null
  return <span class="tag">{found.value ?? words.unknown}</span>
}

const ComponentPicker = ({ pick }: { readonly pick: (uid: string) => void }) => {
  const [text, setText] = useState('')
  const found = useLoad(`components to pick ${text}`, async (calls, signal) => {
    if (text.trim() === '') return []
    const { component } = await calls.call('GET /api/component', { query: { text, limit: 20, streams: false }, signal })
    return component.map(({ uid, id, name }) => ({ uid, label: name && name !== id ? `${id} (${name})` : (id ?? '') }))
  })
  return (
    <span class="row grow">
      <input
        type="search"
        aria-label={words.pick}
        placeholder={words.pick}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        // It looks for a component, and does not save the key.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {(found.value ?? []).map(({ uid, label }) => (
        <button
          type="button"
          key={uid}
          onClick={() => {
            pick(uid)
            setText('')
          }}
        >
          {label}
        </button>
      ))}
    </span>
  )
}
