// Fields that find components and streams by what one types, with the server's own search: there may be 100,000 of them.
import { useEffect, useId, useState } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import { useLoad } from '../load.ts'
import { client } from '../session.ts'
import { Field } from './parts.tsx'

type Found = readonly { readonly id: string; readonly name: string }[]

const findComponents = async (text: string, signal: AbortSignal): Promise<Found> => {
  const query = { text: text || undefined, limit: 20 }
  const { component } = await client.peek().call('GET /api/component', { query, signal })
  return component.flatMap(({ id, name }) => (id === null ? [] : [{ id, name }]))
}

/** The uid of the component with this ID. */
export const componentUidOf = async (calls: Client, id: string): Promise<string> => {
  const { component } = await calls.call('GET /api/component', { query: { id, limit: 1 } })
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
  const [found, setFound] = useState<Found>([])
  useEffect(() => {
    const control = new AbortController()
    const timer = setTimeout(() => {
      findComponents(typed, control.signal).then(setFound, () => {})
    }, 150)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [typed])
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
  readonly of: { readonly componentId: string } | { readonly templateUid: string }
  readonly value: string
  readonly change: (id: string) => void
}) => {
  const list = useId()
  const streams = useLoad(`streams ${JSON.stringify(of)}`, async (calls, signal) => {
    const found: { readonly id: string | null; readonly name: string }[] = []
    for await (const one of calls.entities('stream').list({ ...of, limit: 10_000 }, { signal })) found.push(one)
    return found
  })
  return (
    <Field label={label}>
      <input list={list} value={value} required onInput={(event) => change(event.currentTarget.value)} />
      <datalist id={list}>
        {(streams.value ?? []).map(({ id, name }) => (
          <option key={id} value={id ?? ''}>
            {name === id ? '' : name}
          </option>
        ))}
      </datalist>
    </Field>
  )
}
