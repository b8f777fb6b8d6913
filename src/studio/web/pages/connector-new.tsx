// A new HTTP connector, begun from the recipe of a sender.
import { useLoad } from '../load.ts'
import { client, person } from '../session.ts'
import { go } from '../router.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { Field, Form } from '../ui/parts.tsx'
import { beginnings, loadCookbook } from './connector-recipes.ts'
import type { Recipe } from './cookbook.ts'

const words = texts.connectors

export const NewConnector = ({ close }: { readonly close: () => void }) => {
  const cookbook = useLoad('cookbook', loadCookbook).value ?? []
  return (
    <Dialog title={words.add} close={close}>
      <Form
        button={texts.save}
        submit={async ({ name = '', endpoint = '', recipe = '' }) => {
          const { sql } = [...beginnings, ...cookbook].find(({ title }) => title === recipe) ?? beginnings[0]!
          const runAsUserUid = person.peek()!.userUid
          // The first calls are those one wants to look at.
          const members = { name, endpoint, runAsUserUid, sql, debug: true }
          const made = await client
            .peek()
            .entities('connector')
            .make({ type: 'http', ...members })
          go(['connector', made.uid])
        }}
      >
        <TextField label={words.name} name="name" required autofocus />
        <TextField label={words.endpoint} name="endpoint" required placeholder="hook" />
        <Field label={words.recipe}>
          <select name="recipe">
            <Group title={texts.importing.http.beginnings} recipes={beginnings} />
            <Group title={texts.importing.http.cookbook} recipes={cookbook} />
          </select>
        </Field>
      </Form>
    </Dialog>
  )
}

const Group = ({ title, recipes }: { readonly title: string; readonly recipes: readonly Recipe[] }) => (
  <optgroup label={title}>
    {recipes.map((recipe) => (
      <option key={recipe.title} value={recipe.title}>
        {recipe.title}
      </option>
    ))}
  </optgroup>
)
