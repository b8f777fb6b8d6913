// The audit log: who changed what, with the values before and after.
import { useState } from 'preact/hooks'
import { useLoad } from '../load.ts'
import { place, replaceQuery } from '../router.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { List } from '../ui/list.tsx'
import { Shown } from '../ui/parts.tsx'

const words = texts.security.audit

export const AuditLog = () => {
  const text = place.value.query.get('text') ?? ''
  const [shown, setShown] = useState(100)
  const list = useLoad(`audit ${text} ${shown}`, (calls, signal) =>
    calls.call('GET /api/audit', { query: { text: text || undefined, limit: shown }, signal }),
  )
  return (
    <>
      <input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={text}
        onChange={(event) => replaceQuery({ tab: 'audit', text: event.currentTarget.value || undefined })}
      />
      <Shown of={list}>
        {({ audit, totalCount }) => (
          <>
            <List
              rows={audit}
              columns={[
                { title: words.time, shown: ({ time }) => <span class="numbers">{showTime(time, 'UTC')}</span> },
                { title: words.actor, shown: ({ actor }) => actor },
                { title: words.action, shown: ({ action, subject }) => `${action} ${subject ?? ''}` },
                { title: words.detail, shown: ({ detail }) => <Detail of={detail} /> },
              ]}
            />
            {audit.length < totalCount && shown < 1000 && (
              <div>
                <button onClick={() => setShown(Math.min(1000, shown + 200))}>{texts.more}</button>
              </div>
            )}
          </>
        )}
      </Shown>
    </>
  )
}

const Detail = ({ of: detail }: { readonly of: unknown }) =>
  detail === null || detail === undefined ? null : (
    <details>
      <summary>{words.show}</summary>
      <pre class="code">{JSON.stringify(detail, null, 2)}</pre>
    </details>
  )
