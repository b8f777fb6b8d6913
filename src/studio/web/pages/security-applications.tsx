// Applications that the person has let act for them, with the right to end each.
import { useLoad } from '../load.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { Remove } from '../ui/dialog.tsx'
import { List } from '../ui/list.tsx'
import { Shown } from '../ui/parts.tsx'

const words = texts.security.application

export const Applications = () => {
  const list = useLoad('grants', async (calls, signal) => (await calls.call('GET /api/grant', { signal })).grant)
  return (
    <Shown of={list}>
      {(grants) => (
        <List
          rows={grants}
          keyOf={({ uid }) => uid}
          empty={words.none}
          columns={[
            { title: words.name, shown: ({ client: { name } }) => <strong>{name}</strong> },
            { title: words.organization, shown: ({ organization }) => organization.name },
            { title: words.scope, shown: ({ scope }) => <span class="tag">{scope}</span> },
            { title: words.since, shown: ({ created }) => showTime(created, 'UTC') },
            {
              title: words.end,
              isQuiet: true,
              shown: ({ uid, client: { name } }) => (
                <Remove
                  name={name}
                  remove={async () => {
                    await client.peek().call('DELETE /api/grant/{uid}', { path: { uid } })
                    list.reload()
                  }}
                />
              ),
            },
          ]}
        />
      )}
    </Shown>
  )
}
