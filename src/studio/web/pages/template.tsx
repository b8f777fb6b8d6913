// One template: its streams, the components that were made from it, and what a change does to them
// (docs/management.md#templates).
import { useLoad } from '../load.ts'
import { place, to } from '../router.ts'
import { hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { List } from '../ui/list.tsx'
import { Page, ShownPage } from '../ui/parts.tsx'

const words = texts.catalogue
const templateWords = words.template

const TemplatePage = () => {
  const uid = place.value.path[1] ?? ''
  const loaded = useLoad(`template ${uid}`, async (calls, signal) => {
    const [template, { totalCount }] = await Promise.all([
      calls.entities('template').show(uid, { signal }),
      calls.call('GET /api/component', { query: { templateUid: uid, limit: 1, streams: false }, signal }),
    ])
    return { template, count: totalCount }
  })
  return (
    <ShownPage title={texts.components.template} of={loaded}>
      {({ template, count }) => (
        <Page
          title={template.name}
          lead={<span class="tag">{template.id}</span>}
          actions={
            hasRole('admin') && (
              <a class="button first" href={to(['stream', 'new'], { template: uid })}>
                {words.stream.add}
              </a>
            )
          }
        >
          {template.description && <p class="quiet">{template.description}</p>}
          <List
            rows={template.stream}
            keyOf={(stream) => stream.uid ?? ''}
            columns={[
              {
                title: templateWords.streams,
                shown: (stream) => <a href={to(['stream', stream.uid ?? ''])}>{stream.name || stream.id}</a>,
              },
              { title: words.id, shown: ({ id }) => id },
              {
                title: words.stream.kind,
                shown: ({ kind, valueType, expression }) => (
                  <span class="quiet">
                    {kind} {valueType.toLowerCase()} {expression && <span class="tag">{texts.component.derived}</span>}
                  </span>
                ),
              },
            ]}
          />
          <section class="card stack">
            <p>
              {templateWords.made(count)}{' '}
              {count > 0 && <a href={to(['components'], { template: uid })}>{templateWords.show}</a>}
            </p>
            <h2>{templateWords.reaches}</h2>
            <dl class="rules">
              {templateWords.rules.map(([change, effect]) => (
                <>
                  <dt>{change}</dt>
                  <dd>{effect}</dd>
                </>
              ))}
            </dl>
          </section>
        </Page>
      )}
    </ShownPage>
  )
}

export default TemplatePage
