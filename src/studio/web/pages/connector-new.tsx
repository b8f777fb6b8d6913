// A new HTTP connector, begun from the recipe of a sender.
import { client, person } from '../session.ts'
import { go } from '../router.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form } from '../ui/parts.tsx'
import { recipes } from './connector-recipes.ts'

const words = texts.connectors

export const NewConnector = ({ close }: { readonly close: () => void }) => (
  <Dialog title={words.add} close={close}>
    <Form
      button={texts.save}
      submit={async ({ name = '', endpoint = '', recipe = '' }) => {
        const sql = recipes.find(({ title }) => title === recipe)?.sql ?? recipes[0]!.sql
        const runAsUserUid = person.peek()!.userUid
        const made = await client.peek().entities('connector').make({ type: 'http', name, endpoint, runAsUserUid, sql })
        go(['connector', made.uid])
      }}
    >
      <Field label={words.name}>
        <input name="name" required autofocus />
      </Field>
      <Field label={words.endpoint}>
        <input name="endpoint" required placeholder="hook" />
      </Field>
      <Field label={words.recipe}>
        <select name="recipe">
          {recipes.map(({ title }) => (
            <option value={title}>{title}</option>
          ))}
        </select>
      </Field>
    </Form>
  </Dialog>
)
