// Scripts that are kept: those that were run in this browser, and those saved for the organization.
import { effect, signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { EntityOf } from '../../../client/client.ts'
import { loadEntities, problemOf, useLoad } from '../load.ts'
import { client, hasRole, person, recall, remember } from '../session.ts'
import { texts } from '../texts.ts'
import { Remove } from '../ui/dialog.tsx'
import { Form, More, Notice, Shown } from '../ui/parts.tsx'

const words = texts.query
const mostKept = 30

const readHistory = (): readonly string[] => {
  try {
    return JSON.parse(recall('scripts') || '[]') as readonly string[]
  } catch {
    return []
  }
}

const ran = signal<readonly string[]>([])
effect(() => {
  if (person.value) ran.value = readHistory()
})

export const historyWith = (script: string): void => {
  ran.value = [script, ...ran.value.filter((each) => each !== script)].slice(0, mostKept)
  remember('scripts', JSON.stringify(ran.value))
}

const forgetHistory = (): void => {
  ran.value = []
  remember('scripts', '[]')
}

export const History = ({ choose }: { readonly choose: (script: string) => void }) => (
  <section class="card stack">
    <div class="head">
      <h2>{words.history}</h2>
      {ran.value.length > 0 && (
        <div class="actions">
          <button class="bare" onClick={forgetHistory}>
            {words.forget}
          </button>
        </div>
      )}
    </div>
    {ran.value.length === 0 && <p class="quiet">{words.noHistory}</p>}
    <div class="tree">
      {ran.value.map((script) => (
        <button key={script} class="bare line" title={script} onClick={() => choose(script)}>
          {script}
        </button>
      ))}
    </div>
  </section>
)

type SavedQuery = EntityOf<'query'>

export const SavedQueries = ({
  script,
  choose,
}: {
  readonly script: string
  readonly choose: (script: string) => void
}) => {
  const [shown, setShown] = useState(100)
  const list = useLoad('queries', (calls, ending) => loadEntities(calls, 'query', {}, shown, ending), undefined, shown)
  const [chosenUid, setChosen] = useState('')
  const chosen = list.value?.rows.find(({ uid }) => uid === chosenUid)
  return (
    <section class="card stack">
      <h2>{words.saved}</h2>
      <Shown of={list}>
        {({ rows, totalCount }) => (
          <div class="tree">
            {rows.length === 0 && <p class="quiet">{words.noSaved}</p>}
            {rows.map(({ uid, name, sql }) => (
              <button
                key={uid}
                class="bare line"
                title={sql}
                aria-pressed={uid === chosenUid}
                onClick={() => {
                  setChosen(uid)
                  choose(sql)
                }}
              >
                {name}
              </button>
            ))}
            <More shown={rows.length} total={totalCount} more={() => setShown(rows.length + 500)} />
          </div>
        )}
      </Shown>
      {hasRole('admin') && chosen && (
        <ChangeSaved query={chosen} script={script} saved={() => choose(script)} changed={list.reload} />
      )}
      {hasRole('admin') && (
        <NewSaved
          script={script}
          made={(uid) => {
            setChosen(uid)
            choose(script)
            list.reload()
          }}
        />
      )}
    </section>
  )
}

/** One that is chosen, and edited since, takes the script over; it can be removed. */
const ChangeSaved = ({
  query: { uid, name, sql, version },
  script,
  saved,
  changed,
}: {
  readonly query: SavedQuery
  readonly script: string
  readonly saved: () => void
  readonly changed: () => void
}) => {
  const [problem, setProblem] = useState('')
  const save = async () => {
    try {
      await client.peek().entities('query').change(uid, { sql: script, version })
      setProblem('')
      saved()
    } catch (error) {
      setProblem(problemOf(error))
    }
    changed()
  }
  return (
    <>
      {problem !== '' && <Notice kind="bad">{problem}</Notice>}
      <div class="row">
        {script !== sql && <button onClick={() => void save()}>{words.saveOver(name)}</button>}
        <Remove
          name={name}
          remove={async () => {
            await client.peek().entities('query').remove(uid)
            changed()
          }}
        />
      </div>
    </>
  )
}

const NewSaved = ({ script, made }: { readonly script: string; readonly made: (uid: string) => void }) => {
  const [isNaming, setNaming] = useState(false)
  if (!isNaming)
    return (
      <div>
        <button onClick={() => setNaming(true)}>{words.save}</button>
      </div>
    )
  return (
    <Form
      button={texts.save}
      beside={
        <button type="button" onClick={() => setNaming(false)}>
          {texts.cancel}
        </button>
      }
      submit={async ({ name = '' }) => {
        const { uid } = await client.peek().entities('query').make({ name, sql: script })
        setNaming(false)
        made(uid)
      }}
    >
      <input name="name" aria-label={words.name} placeholder={words.name} required maxLength={512} autofocus />
    </Form>
  )
}
