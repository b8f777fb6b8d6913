// The properties of a component, editable for admins and owners, who may also delete it.
import { client, hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { Remove } from '../ui/dialog.tsx'
import { LongField, TextField, ZoneField } from '../ui/fields.tsx'
import { saveEntity } from '../ui/managed.tsx'
import { Form, Notice } from '../ui/parts.tsx'
import type { Given } from '../ui/parts.tsx'
import type { Component } from '../catalogue.ts'
import { go, to } from '../router.ts'
import { useState } from 'preact/hooks'

const words = texts.component

export const Properties = ({ component, saved }: { readonly component: Component; readonly saved: () => void }) => {
  const [isSaved, setSaved] = useState(false)
  const isEditable = hasRole('admin')
  const save = async ({ id = '', name, description, folder, timeZone }: Given) => {
    setSaved(false)
    await saveEntity('component', component, { id: id || null, name, description, folder, timeZone })
    setSaved(true)
    saved()
  }
  return (
    <section class="card stack">
      <fieldset class="plain" disabled={!isEditable}>
        <Form
          button={texts.save}
          submit={save}
          isOffered={isEditable}
          beside={isSaved && <Notice>{words.saved}</Notice>}
        >
          <TextField label={words.id} name="id" value={component.id ?? ''} maxLength={512} />
          <TextField label={words.name} name="name" value={component.name} required maxLength={512} />
          <LongField label={words.description} name="description" value={component.description} />
          <TextField label={words.folder} name="folder" value={component.folder} required />
          <ZoneField label={words.zone} value={component.timeZone} required />
        </Form>
      </fieldset>
      {component.templateUid && (
        <p class="quiet">
          <a href={to(['template', component.templateUid])}>{texts.components.template}</a>
        </p>
      )}
      {isEditable && (
        <div>
          <Remove
            name={component.name}
            loss={words.loss}
            remove={async () => {
              await client.peek().entities('component').remove(component.uid)
              go(['components'])
            }}
          />
        </div>
      )}
    </section>
  )
}
