// All components: by folder, by search, by template. The server finds them and counts them; the page holds those in view.
import { useState } from 'preact/hooks'
import { liveOfComponents, useLive } from '../live.ts'
import type { LiveSample } from '../live.ts'
import { useLoad } from '../load.ts'
import { place, replaceQuery, to } from '../router.ts'
import { texts } from '../texts.ts'
import { Age } from '../ui/age.tsx'
import { Endless } from '../ui/endless.tsx'
import { Page, Shown } from '../ui/parts.tsx'
import { Search } from '../ui/search.tsx'
import { client, hasRole } from '../session.ts'
import { NewComponent } from './component-new.tsx'
import { Folders } from './components-folders.tsx'
import { FirstSample } from './first-sample.tsx'

const words = texts.components
const pageSize = 100

const Components = () => {
  const { query } = place.value
  const [text, folder, template] = ['text', 'folder', 'template'].map((name) => query.get(name) ?? '') as [
    string,
    string,
    string,
  ]
  const [isNew, setNew] = useState(false)
  const [seen, setSeen] = useState<readonly string[]>([])
  const search = {
    text: text || undefined,
    folder: folder || undefined,
    templateUid: template || undefined,
    streams: false,
  }
  const key = `components ${text} ${folder} ${template}`
  const list = useLoad(key, (calls, signal) =>
    calls.call('GET /api/component', { query: { ...search, limit: pageSize }, signal }),
  )
  const live = useLive(liveOfComponents(seen), list.reload)
  const lasts = lastsOf(live.values.value)
  const choose = (change: { readonly text?: string; readonly folder?: string; readonly template?: string }) => {
    // A search that rests comes after a folder that was chosen meanwhile.
    const now = place.peek().query
    const next = { text: now.get('text'), folder: now.get('folder'), template: now.get('template'), ...change }
    replaceQuery({
      text: next.text || undefined,
      folder: next.folder || undefined,
      template: next.template || undefined,
    })
  }
  const isFirst = text === '' && folder === '' && template === '' && list.value?.totalCount === 0
  if (isFirst) return <FirstSample />
  return (
    <Page title={words.title} actions={hasRole('admin') && <button onClick={() => setNew(true)}>{words.add}</button>}>
      {isNew && <NewComponent folder={folder} close={() => setNew(false)} />}
      <div class="columns">
        <Folders chosen={folder} choose={(path) => choose({ folder: path })} />
        <div class="stack">
          <Search label={words.search} value={text} change={(value) => choose({ text: value })} />
          {template !== '' && <OfTemplate uid={template} close={() => choose({ template: '' })} />}
          <Shown of={list}>
            {({ component, totalCount }) => (
              <>
                <p class="quiet" role="status">
                  {words.found(totalCount)}
                </p>
                {totalCount === 0 ? (
                  <p class="empty">{words.none}</p>
                ) : (
                  <Endless
                    key={key}
                    label={words.title}
                    first={component}
                    total={totalCount}
                    load={async (start, limit, signal) => {
                      const page = { ...search, start, limit }
                      return (await client.peek().call('GET /api/component', { query: page, signal })).component
                    }}
                    columns={[
                      {
                        title: words.id,
                        shown: ({ uid, id, name }) => (
                          <a href={to(['component', uid])} title={id ?? name}>
                            {id ?? name}
                          </a>
                        ),
                      },
                      { title: words.name, shown: ({ name }) => <span title={name}>{name}</span> },
                      {
                        title: words.folder,
                        shown: (each) => (
                          <span class="quiet" title={each.folder}>
                            {each.folder.replace(/^\/Components\/?/, '') || '–'}
                          </span>
                        ),
                      },
                      {
                        title: words.lasts,
                        shown: ({ id }) => <Lasts of={lasts.get(id ?? '')} isCut={live.cut.value.has(id ?? '')} />,
                      },
                      {
                        title: words.updated,
                        shown: ({ id, timeZone }) => <Updated of={lasts.get(id ?? '')} zone={timeZone ?? 'UTC'} />,
                      },
                    ]}
                    seen={(rows) => setSeen(rows.flatMap(({ id }) => (id === null ? [] : [id])))}
                  />
                )}
              </>
            )}
          </Shown>
        </div>
      </div>
    </Page>
  )
}

export default Components

type Last = readonly LiveSample[]

/** By component, its last values. */
const lastsOf = (values: ReadonlyMap<string, LiveSample>): ReadonlyMap<string, Last> => {
  const found = new Map<string, LiveSample[]>()
  for (const sample of values.values()) {
    const known = found.get(sample.compId ?? '')
    if (known) known.push(sample)
    else found.set(sample.compId ?? '', [sample])
  }
  return found
}

const mostLasts = 2

const Lasts = ({ of = [], isCut }: { readonly of?: Last | undefined; readonly isCut: boolean }) => (
  <>
    {of.slice(0, mostLasts).map(({ streamId, fileName, fData, data }) => (
      <span key={streamId} class="last">
        <span class="quiet">{streamId}</span> <span>{fileName ?? (fData || `${data ?? ''}`)}</span>
      </span>
    ))}
    {of.length > mostLasts && <span class="quiet">{words.moreValues(of.length - mostLasts, isCut)}</span>}
  </>
)

const Updated = ({ of = [], zone }: { readonly of?: Last | undefined; readonly zone: string }) =>
  of.length === 0 ? null : <Age time={of.reduce((latest, { time }) => Math.max(latest, time), -Infinity)} zone={zone} />

const OfTemplate = ({ uid, close }: { readonly uid: string; readonly close: () => void }) => {
  const template = useLoad(`template ${uid}`, (calls, signal) => calls.entities('template').show(uid, { signal }))
  return (
    <p class="row">
      {words.madeFrom} <a href={to(['template', uid])}>{template.value?.name ?? '…'}</a>
      <button class="bare" onClick={close}>
        {words.all}
      </button>
    </p>
  )
}
