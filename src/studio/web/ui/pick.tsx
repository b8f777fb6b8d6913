// Fields that find components and streams by what one types, with the server's own search: there may be 100,000 of them.
import { useEffect, useId, useState } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import { client } from '../session.ts'
import { Field } from './parts.tsx'

type Found = readonly { readonly id: string; readonly name: string }[]

const mostOffered = 20

const withId = (rows: readonly { readonly id: string | null; readonly name: string }[]): Found =>
  rows.flatMap(({ id, name }) => (id === null ? [] : [{ id, name }]))

const findComponents = async (text: string, signal: AbortSignal): Promise<Found> => {
  const query = { text: text || undefined, limit: mostOffered, streams: false }
  return withId((await client.peek().call('GET /api/component', { query, signal })).component)
}

type OwnerOf = { readonly componentId: string } | { readonly templateUid: string }

const findStreams = async (of: OwnerOf, text: string, signal: AbortSignal): Promise<Found> => {
  const query = { ...of, text: text || undefined, limit: mostOffered }
  return withId((await client.peek().call('GET /api/stream', { query, signal })).stream)
}

/** Asked when typing rests. A field that finds nothing takes what is typed all the same. */
const useFound = (key: string, find: (signal: AbortSignal) => Promise<Found>): Found => {
  const [found, setFound] = useState<Found>([])
  useEffect(() => {
    const control = new AbortController()
    const timer = setTimeout(() => {
      find(control.signal).then(setFound, () => {})
    }, 150)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [key])
  return found
}

/** The uid of the component with this ID. */
export const componentUidOf = async (calls: Client, id: string): Promise<string> => {
  const { component } = await calls.call('GET /api/component', { query: { id, streams: false, limit: 1 } })
  // Its words are the server's: it refuses an unknown uid and names the one that was probably meant.
  return component[0]?.uid ?? id
}

export const ComponentField = ({
  label,
  name,
  value = '',
  change,
  required = false,
  placeholder = '',
}: {
  readonly label: string
  readonly name?: string
  readonly value?: string
  readonly change?: (id: string) => void
  readonly required?: boolean
  readonly placeholder?: string
}) => {
  const list = useId()
  const [typed, setTyped] = useState(value)
  const found = useFound(typed, (signal) => findComponents(typed, signal))
  const give = (id: string) => {
    setTyped(id)
    change?.(id)
  }
  return (
    <Field label={label}>
      <input
        name={name}
        list={list}
        value={typed}
        required={required}
        placeholder={placeholder}
        onInput={(event) => give(event.currentTarget.value)}
      />
      <datalist id={list}>
        {found.map(({ id, name: called }) => (
          <option key={id} value={id}>
            {called === id ? '' : called}
          </option>
        ))}
      </datalist>
    </Field>
  )
}

/** A stream of the component, or of a template, by its ID. */
export const StreamField = ({
  label,
  of,
  value,
  change,
}: {
  readonly label: string
  readonly of: OwnerOf
  readonly value: string
  readonly change: (id: string) => void
}) => {
  const list = useId()
  const streams = useFound(JSON.stringify([of, value]), (signal) => findStreams(of, value, signal))
  return (
    <Field label={label}>
      <input list={list} value={value} required onInput={(event) => change(event.currentTarget.value)} />
      <datalist id={list}>
        {streams.map(({ id, name }) => (
          <option key={id} value={id}>
            {name === id ? '' : name}
          </option>
        ))}
      </datalist>
    </Field>
  )
}
