// The dashboards of the organization, each with a small picture of its tiles.
import { useState } from 'preact/hooks'
import { rowsOf } from '../dashboard/layout.ts'
import type { Dashboard } from '../dashboard/tile.ts'
import { loadEntities, useLoad } from '../load.ts'
import { go, to } from '../router.ts'
import { client, hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, More, Page, Shown } from '../ui/parts.tsx'

const words = texts.dashboards

const Dashboards = () => {
  const [shown, setShown] = useState(100)
  const list = useLoad(
    'dashboards',
    (calls, signal) => loadEntities(calls, 'dashboard', {}, shown, signal),
    undefined,
    shown,
  )
  const [isNew, setNew] = useState(false)
  const add = hasRole('admin') && (
    <button class="first" onClick={() => setNew(true)}>
      {words.add}
    </button>
  )
  return (
    <Page title={words.title} actions={list.value?.totalCount ? add : undefined}>
      {isNew && <NewDashboard close={() => setNew(false)} />}
      <Shown of={list}>
        {({ rows, totalCount }) =>
          rows.length === 0 ? (
            <section class="card invitation">
              <Sketch />
              <h2>{words.none}</h2>
              <p>{hasRole('admin') ? words.invitation : words.nobodyYet}</p>
              {add}
            </section>
          ) : (
            <>
              <ul class="board-list">
                {rows.map((dashboard) => (
                  <li key={dashboard.uid}>
                    <a class="card" href={to(['dashboard', dashboard.uid])}>
                      <Thumbnail of={dashboard} />
                      <strong>{dashboard.name}</strong>
                      <span class="quiet">{dashboard.description || words.count(dashboard.tile.length)}</span>
                    </a>
                  </li>
                ))}
              </ul>
              <More shown={rows.length} total={totalCount} more={() => setShown(rows.length + 500)} />
            </>
          )
        }
      </Shown>
    </Page>
  )
}

export default Dashboards

const NewDashboard = ({ close }: { readonly close: () => void }) => (
  <Dialog title={words.add} close={close}>
    <Form
      button={words.make}
      submit={async ({ name = '', description = '' }) => {
        const { uid } = await client.peek().entities('dashboard').make({ name, description, tile: [] })
        go(['dashboard', uid], { edit: '1' })
      }}
    >
      <Field label={words.name}>
        <input name="name" required maxLength={512} autofocus placeholder={words.nameExample} />
      </Field>
      <Field label={words.description}>
        <input name="description" maxLength={10_000} />
      </Field>
    </Form>
  </Dialog>
)

/** Twice as wide as high, whatever it holds. */
const Thumbnail = ({ of: { tile: tiles } }: { readonly of: Dashboard }) => {
  const height = Math.max(6, Math.min(12, rowsOf(tiles)))
  return (
    <svg class="thumbnail" viewBox={`0 0 12 ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {tiles.map(({ kind, column, row, ...size }, index) => (
        <rect
          key={index}
          class={`kind-${kind}`}
          x={column + 0.1}
          y={row + 0.1}
          width={size.width - 0.2}
          height={size.height - 0.2}
          rx="0.15"
        />
      ))}
    </svg>
  )
}

const Sketch = () => (
  <svg class="sketch" viewBox="0 0 240 120" aria-hidden="true" fill="none" stroke-width="2.5" stroke-linecap="round">
    <rect x="6" y="6" width="146" height="68" rx="8" class="outline" />
    <path d="M18 58 C 40 18, 56 62, 78 38 S 118 22, 140 30" class="curve" />
    <rect x="164" y="6" width="70" height="30" rx="8" class="outline" />
    <rect x="164" y="44" width="70" height="30" rx="8" class="outline" />
    <path d="M178 21 h22 M178 59 h32" class="curve" />
    <rect x="6" y="84" width="228" height="30" rx="8" class="outline" />
    <path d="M20 99 h60 M100 99 h40 M160 99 h54" class="outline" />
  </svg>
)
