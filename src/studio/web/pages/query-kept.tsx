// Scripts that are kept: those that were run in this browser, and those saved for the organization.
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { useLoad } from '../load.ts'
import { client, hasRole, recall, remember } from '../session.ts'
import { texts } from '../texts.ts'
import { Form, Shown } from '../ui/parts.tsx'

const words = texts.query
const mostKept = 30

const readHistory = (): readonly string[] => {
  try {
    return JSON.parse(recall('scripts') || '[]') as readonly string[]
  } catch {
    return []
  }
}

const ran = signal(readHistory())

export const historyWith = (script: string): void => {
  ran.value = [script, ...ran.value.filter((each) => each !== script)].slice(0, mostKept)
  remember('scripts', JSON.stringify(ran.value))
}

export const History = ({ choose }: { readonly choose: (script: string) => void }) => (
  <section class="card stack">
    <h2>{words.history}</h2>
    {ran.value.length === 0 && <p class="quiet">{texts.nothing}</p>}
    <div class="tree">
      {ran.value.map((script) => (
        <button key={script} class="bare line" title={script} onClick={() => choose(script)}>
          {script}
        </button>
      ))}
    </div>
  </section>
)

export const SavedQueries = ({
  script,
  choose,
}: {
  readonly script: string
  readonly choose: (script: string) => void
}) => {
  const list = useLoad('queries', (calls, ending) =>
    calls.call('GET /api/query', { query: { limit: 1000 }, signal: ending }).then(({ query }) => query),
  )
  const [isNaming, setNaming] = useState(false)
  return (
    <section class="card stack">
      <h2>{words.saved}</h2>
      <Shown of={list}>
        {(queries) => (
          <div class="tree">
            {queries.length === 0 && <p class="quiet">{texts.nothing}</p>}
            {queries.map(({ uid, name, sql }) => (
              <button key={uid} class="bare line" title={sql} onClick={() => choose(sql)}>
                {name}
              </button>
            ))}
          </div>
        )}
      </Shown>
      {hasRole('admin') &&
        (isNaming ? (
          <Form
            button={texts.save}
            submit={async ({ name = '' }) => {
              await client.peek().entities('query').make({ name, sql: script })
              setNaming(false)
              list.reload()
            }}
          >
            <input name="name" aria-label={words.name} placeholder={words.name} required autofocus />
          </Form>
        ) : (
          <div>
            <button onClick={() => setNaming(true)}>{words.save}</button>
          </div>
        ))}
    </section>
  )
}
