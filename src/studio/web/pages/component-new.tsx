// A new component, from a template or bare.
import { useTemplates } from '../names.ts'
import { go } from '../router.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, Shown } from '../ui/parts.tsx'

const words = texts.components

export const NewComponent = ({ folder, close }: { readonly folder: string; readonly close: () => void }) => {
  const templates = useTemplates()
  return (
    <Dialog title={words.add} close={close}>
      <Shown of={templates}>
        {(all) => (
          <Form
            button={texts.save}
            submit={async ({ id = '', name = '', folder: path = '', templateUid = '' }) => {
              const made = await client
                .peek()
                .entities('component')
                .make({
                  id,
                  ...(name === '' ? {} : { name }),
                  ...(path === '' ? {} : { folder: path }),
                  ...(templateUid === '' ? {} : { templateUid }),
                })
              go(['component', made.uid])
            }}
          >
            <Field label={words.id}>
              <input name="id" required maxLength={512} autofocus />
            </Field>
            <Field label={words.name}>
              <input name="name" maxLength={512} />
            </Field>
            <Field label={words.folder}>
              <input name="folder" placeholder="/Components" defaultValue={folder} />
            </Field>
            <Field label={words.template}>
              <select name="templateUid">
                <option value="">{words.noTemplate}</option>
                {Object.entries(all).map(([uid, name]) => (
                  <option value={uid}>{name}</option>
                ))}
              </select>
            </Field>
          </Form>
        )}
      </Shown>
    </Dialog>
  )
}
