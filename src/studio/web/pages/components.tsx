// All components: by folder, by search, page by page, with as much as a list needs.
import { useEffect, useState } from 'preact/hooks'
import { useLoad } from '../load.ts'
import { place, replaceQuery, to } from '../router.ts'
import { texts } from '../texts.ts'
import { Page, Shown } from '../ui/parts.tsx'
import { FirstSample } from './first-sample.tsx'

const words = texts.components
const pageSize = 100

const Components = () => {
  const text = place.value.query.get('text') ?? ''
  const folder = place.value.query.get('folder') ?? ''
  const [shown, setShown] = useState(pageSize)
  const list = useLoad(`components ${text} ${folder} ${shown}`, (client, signal) =>
    client.call('GET /api/component', {
      query: { text: text || undefined, folder: folder || undefined, limit: shown },
      signal,
    }),
  )
  const choose = (query: { readonly text?: string; readonly folder?: string }) => {
    setShown(pageSize)
    const next = { text, folder, ...query }
    replaceQuery({ text: next.text || undefined, folder: next.folder || undefined })
  }
  const isFirst = text === '' && folder === '' && list.value?.totalCount === 0
  if (isFirst) return <FirstSample />
  return (
    <Page title={words.title}>
      <div class="columns">
        <Folders chosen={folder} choose={(path) => choose({ folder: path })} />
        <div class="stack">
          <Search value={text} change={(value) => choose({ text: value })} />
          <Shown of={list}>
            {({ component, totalCount }) => (
              <>
                <p class="quiet" role="status">
                  {words.found(totalCount)}
                </p>
                {component.length === 0 ? (
                  <p class="empty">{words.none}</p>
                ) : (
                  <div class="card flush scroll">
                    <table>
                      <thead>
                        <tr>
                          <th>{words.id}</th>
                          <th>{words.name}</th>
                          <th>{words.folder}</th>
                          <th>{words.zone}</th>
                        </tr>
                      </thead>
                      <tbody>
                        {component.map((each) => (
                          <tr key={each.uid}>
                            <td>
                              <a href={to(['component', each.uid])}>{each.id}</a>
                            </td>
                            <td>{each.name}</td>
                            <td class="quiet">{each.folder}</td>
                            <td class="quiet">{each.timeZone}</td>
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  </div>
                )}
                {component.length < totalCount && shown < 1000 && (
                  <div>
                    <button onClick={() => setShown(Math.min(1000, shown + 200))}>{texts.more}</button>
                  </div>
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

/** Asks when typing rests, so that each letter does not cost a search. */
const Search = ({ value, change }: { readonly value: string; readonly change: (value: string) => void }) => {
  const [typed, setTyped] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => typed !== value && change(typed), 200)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <input
      type="search"
      aria-label={words.search}
      placeholder={words.search}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
    />
  )
}

const Folders = ({ chosen, choose }: { readonly chosen: string; readonly choose: (path: string) => void }) => {
  const list = useLoad('folders', async (client, signal) => {
    const { folder } = await client.call('GET /api/folder', { query: { limit: 1000 }, signal })
    return folder.map(({ path }) => path).toSorted()
  })
  return (
    <section class="card stack" aria-label={words.folders}>
      <h2>{words.folders}</h2>
      <Shown of={list}>
        {(folders) => (
          <nav class="tree" aria-label={words.folders}>
            {['', ...folders.filter((path) => path !== '/Components')].map((path) => (
              <a
                key={path}
                href={to(['components'], { folder: path || undefined })}
                aria-current={path === chosen ? 'true' : undefined}
                style={{ paddingInlineStart: `${10 + 14 * Math.max(0, path.split('/').length - 3)}px` }}
                onClick={(event) => (event.preventDefault(), choose(path))}
              >
                {path === '' ? words.all : path.split('/').at(-1)}
              </a>
            ))}
          </nav>
        )}
      </Shown>
    </section>
  )
}
