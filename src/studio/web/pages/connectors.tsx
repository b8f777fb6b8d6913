// Connectors: those that take pushes, each with its last calls, and imports from databases with their runs. Admins see
// the connections that imports read through.
import { useState } from 'preact/hooks'
import { loadEntities, useLoad } from '../load.ts'
import { to } from '../router.ts'
import { client, hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { Remove } from '../ui/dialog.tsx'
import { List } from '../ui/list.tsx'
import { More, Page, Shown } from '../ui/parts.tsx'
import { Tabs, chosenTab } from '../ui/tabs.tsx'
import { Connections } from './connections.tsx'
import { NewImport } from './connector-import-new.tsx'
import { NewConnector } from './connector-new.tsx'

const words = texts.connectors

const Connectors = () => {
  const [asked, setAsked] = useState<'http' | 'import'>()
  const { connectors, connections } = texts.importing.tabs
  const tabs = hasRole('admin') ? { connectors, connections } : { connectors }
  const chosen = chosenTab(tabs)
  const close = () => setAsked(undefined)
  return (
    <Page
      title={words.title}
      actions={
        hasRole('admin') &&
        chosen === 'connectors' && (
          <>
            <button onClick={() => setAsked('import')}>{texts.importing.import.add}</button>
            <button class="first" onClick={() => setAsked('http')}>
              {words.add}
            </button>
          </>
        )
      }
    >
      {hasRole('admin') && <Tabs label={words.title} tabs={tabs} chosen={chosen} />}
      {chosen === 'connectors' ? <ConnectorList /> : <Connections />}
      {asked === 'http' && <NewConnector close={close} />}
      {asked === 'import' && <NewImport close={close} />}
    </Page>
  )
}

export default Connectors

const ConnectorList = () => {
  const [shown, setShown] = useState(200)
  const list = useLoad(
    'connectors',
    (calls, signal) => loadEntities(calls, 'connector', { sort: 'name' }, shown, signal),
    undefined,
    shown,
  )
  return (
    <Shown of={list}>
      {({ rows, totalCount }) => (
        <>
          <List
            rows={rows}
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
                title: words.next,
                shown: ({ nextRun }) => (nextRun ? showTime(nextRun, 'UTC') : ''),
              },
              {
                title: texts.actions,
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
          <More shown={rows.length} total={totalCount} more={() => setShown(rows.length + 500)} />
        </>
      )}
    </Shown>
  )
}
