// The rows that a script would insert, before the streams judge them.
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { List } from '../ui/list.tsx'

export type WouldRow = {
  readonly cid: string
  readonly id: string
  readonly time: number
  readonly sample: string | number | boolean | null
}

const mostShown = 100

export const WouldStore = ({ rows }: { readonly rows: readonly WouldRow[] }) => (
  <section class="stack">
    <h2>{texts.connectors.would(rows.length)}</h2>
    <List
      rows={rows.slice(0, mostShown)}
      columns={[
        { title: 'CID', shown: ({ cid }) => cid },
        { title: 'ID', shown: ({ id }) => id },
        { title: 'TIME', shown: ({ time }) => `${time} (${showTime(time, 'UTC')})` },
        { title: 'SAMPLE', shown: ({ sample }) => String(sample), isNumber: true },
      ]}
    />
  </section>
)
