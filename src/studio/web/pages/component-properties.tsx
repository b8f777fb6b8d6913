// The properties of a component, editable for admins and owners.
import { client, hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { Field, Form, Notice } from '../ui/parts.tsx'
import type { Given } from '../ui/parts.tsx'
import type { Component } from '../catalogue.ts'
import { useState } from 'preact/hooks'

const words = texts.component

export const Properties = ({ component, saved }: { readonly component: Component; readonly saved: () => void }) => {
  const [isSaved, setSaved] = useState(false)
  const isEditable = hasRole('admin')
  const save = async ({ name = '', description = '', folder = '', timeZone = '' }: Given) => {
    const members = { name, description, folder, timeZone, version: component.version }
    await client.peek().entities('component').change(component.uid, members)
    setSaved(true)
    saved()
  }
  return (
    <section class="card">
      <fieldset class="plain" disabled={!isEditable}>
        <Form button={texts.save} submit={save} beside={isSaved && <Notice>{words.saved}</Notice>}>
          <Field label={words.name}>
            <input name="name" required maxLength={512} defaultValue={component.name} />
          </Field>
          <Field label={words.description}>
            <textarea name="description" rows={3} maxLength={10_000} defaultValue={component.description ?? ''} />
          </Field>
          <Field label={words.folder}>
            <input name="folder" required defaultValue={component.folder} />
          </Field>
          <Field label={words.zone}>
            <input name="timeZone" required defaultValue={component.timeZone ?? ''} />
          </Field>
        </Form>
      </fieldset>
    </section>
  )
}
