// Connectors: those that take pushes, each with its last calls, and imports from databases with their runs.
import { useState } from 'preact/hooks'
import { useLoad } from '../load.ts'
import { to } from '../router.ts'
import { client, hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { Remove } from '../ui/dialog.tsx'
import { List } from '../ui/list.tsx'
import { Page, Shown } from '../ui/parts.tsx'
import { NewConnector } from './connector-new.tsx'

const words = texts.connectors

const Connectors = () => {
  const list = useLoad('connectors', async (calls, signal) => {
    const { connector } = await calls.call('GET /api/connector', { query: { limit: 1000, sort: 'name' }, signal })
    return connector
  })
  const [isNew, setNew] = useState(false)
  return (
    <Page
      title={words.title}
      actions={
        hasRole('admin') && (
          <button class="first" onClick={() => setNew(true)}>
            {words.add}
          </button>
        )
      }
    >
      <Shown of={list}>
        {(connectors) => (
          <List
            rows={connectors}
            keyOf={({ uid }) => uid}
            empty={words.none}
            columns={[
              { title: words.name, shown: ({ uid, name }) => <a href={to(['connector', uid])}>{name}</a> },
              { title: words.type, shown: ({ type }) => <span class="tag">{words.types[type]}</span> },
              {
                title: words.state,
                shown: ({ enabled, lastError }) => (enabled ? (lastError ?? words.enabled) : words.disabled),
              },
              {
                title: words.last,
                shown: ({ lastRunDate }) => (lastRunDate ? showTime(lastRunDate, 'UTC') : ''),
              },
              {
                title: words.actions,
                isQuiet: true,
                shown: ({ uid, name }) =>
                  hasRole('admin') && (
                    <Remove
                      name={name}
                      remove={async () => {
                        await client.peek().entities('connector').remove(uid)
                        list.reload()
                      }}
                    />
                  ),
              },
            ]}
          />
        )}
      </Shown>
      {isNew && <NewConnector close={() => setNew(false)} />}
    </Page>
  )
}

export default Connectors
