// The last calls of an HTTP connector, with their errors; one whose body was kept can be tried again in the editor.
import type { ReplyOf } from '../../../client/client.ts'
import { useLoad } from '../load.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { List } from '../ui/list.tsx'
import { Shown } from '../ui/parts.tsx'

const words = texts.connectors

export type Called = ReplyOf<'GET /api/connector/{uid}/call'>['call'][number]

export const Calls = ({ uid, again }: { readonly uid: string; readonly again: (call: Called) => void }) => {
  const list = useLoad(
    `calls ${uid}`,
    (calls, signal) => calls.call('GET /api/connector/{uid}/call', { path: { uid }, query: { limit: 50 }, signal }),
    5000,
  )
  return (
    <section class="stack">
      <h2>{words.calls}</h2>
      <Shown of={list}>
        {({ call }) => (
          <>
            {call.some(({ body }) => body === null) && <p class="quiet">{texts.importing.http.noBody}</p>}
            <List
              rows={call}
              empty={words.noCalls}
              columns={[
                { title: words.time, shown: ({ time }) => <span class="numbers">{showTime(time, 'UTC')}</span> },
                { title: words.calledBy, shown: ({ method }) => method },
                { title: words.bytes, shown: ({ bytes }) => bytes.toLocaleString('en'), isNumber: true },
                { title: words.rows, shown: ({ rows }) => rows.toLocaleString('en'), isNumber: true },
                { title: words.ms, shown: ({ ms }) => ms, isNumber: true },
                { title: words.error, shown: ({ error }) => error ?? '' },
                {
                  title: words.again,
                  isQuiet: true,
                  shown: (each) =>
                    each.body !== null && (
                      <button class="bare" onClick={() => again(each)}>
                        {words.again}
                      </button>
                    ),
                },
              ]}
            />
          </>
        )}
      </Shown>
    </section>
  )
}
