// Connections to external databases (docs/imports.md#connections), with a test that answers in one sentence.
import { useState } from 'preact/hooks'
import type { EntityOf, ReplyOf } from '../../../client/client.ts'
import { problemOf } from '../load.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { Managed } from '../ui/managed.tsx'
import { Spinner } from '../ui/parts.tsx'
import { ConnectionDialog } from './connection-dialog.tsx'

const words = texts.importing.connection

export const Connections = () => (
  <Managed
    entity="connection"
    add={words.add}
    empty={words.none}
    loss={words.loss}
    nameOf={({ name }) => name}
    editor={(edited) => <ConnectionDialog {...edited} />}
    actions={(connection) => <Test key={`${connection.uid} ${connection.version}`} connection={connection} />}
    columns={[
      { title: words.name, shown: ({ name }) => <strong>{name}</strong> },
      { title: words.kind, shown: ({ kind }) => <span class="tag">{words.kinds[kind]}</span> },
      { title: words.host, shown: ({ host, port }) => (port === null ? host : `${host}:${port}`) },
      { title: words.database, shown: ({ database }) => database },
      { title: words.user, shown: ({ user }) => user },
    ]}
  />
)

type Tested = ReplyOf<'POST /api/connection/{uid}/test'>['test']

const Test = ({ connection: { uid } }: { readonly connection: EntityOf<'connection'> }) => {
  const [said, setSaid] = useState<{ readonly isGood: boolean; readonly text: string }>()
  const [isBusy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    try {
      const reply = await client.peek().call('POST /api/connection/{uid}/test', { path: { uid }, retries: 0 })
      setSaid(sentenceOf(reply.test))
    } catch (error) {
      setSaid({ isGood: false, text: problemOf(error) })
    }
    setBusy(false)
  }
  return (
    <>
      <button class="bare" disabled={isBusy} onClick={() => void test()}>
        {words.test}
      </button>
      {isBusy && <Spinner />}
      {said && !isBusy && (
        <span class={said.isGood ? 'said' : 'said bad'} role="status">
          {said.text}
        </span>
      )}
    </>
  )
}

const sentenceOf = ({ ok, version = '', ms, error }: Tested) =>
  ok ? { isGood: true, text: words.works(version, ms) } : { isGood: false, text: error }
