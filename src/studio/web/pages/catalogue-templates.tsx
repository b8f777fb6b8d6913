// Templates: models of components. Each has a page of its own for its streams (template.tsx).
import { client } from '../session.ts'
import { go, to } from '../router.ts'
import { texts } from '../texts.ts'
import { TextField, ZoneField } from '../ui/fields.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Managed, saveEntity } from '../ui/managed.tsx'
import type { Edited } from '../ui/managed.tsx'
import { Form } from '../ui/parts.tsx'
import { ComponentField, componentUidOf } from '../ui/pick.tsx'

const words = texts.catalogue
const templateWords = words.template

export const Templates = () => (
  <Managed
    entity="template"
    add={templateWords.add}
    empty={templateWords.none}
    loss={templateWords.loss}
    nameOf={({ name }) => name}
    editor={(edited) => <TemplateDialog {...edited} />}
    made={({ uid }) => go(['template', uid])}
    columns={[
      { title: words.name, shown: ({ uid, name }) => <a href={to(['template', uid])}>{name}</a> },
      { title: words.id, shown: ({ id }) => id },
      { title: words.description, shown: ({ description }) => <span class="quiet">{description}</span> },
      { title: templateWords.streams, shown: ({ stream }) => stream.length, isNumber: true },
    ]}
  />
)

const TemplateDialog = ({ of: template, close, saved }: Edited<'template'>) => (
  <Dialog title={template?.name ?? templateWords.add} close={close}>
    <Form
      button={texts.save}
      submit={async ({ id = '', name = '', description, timeZone, from = '' }) => {
        const model = from === '' ? undefined : await componentUidOf(client.peek(), from)
        const members = {
          ...(id === '' ? {} : { id }),
          ...(name === '' ? {} : { name }),
          description,
          timeZone: timeZone || null,
          ...(model === undefined ? {} : { fromComponentUid: model }),
        }
        saved(await saveEntity('template', template, members))
      }}
    >
      <TextField label={words.id} name="id" value={template?.id ?? ''} maxLength={512} autofocus required />
      <TextField label={words.name} name="name" value={template?.name} required={!!template} maxLength={512} />
      <TextField label={words.description} name="description" value={template?.description} />
      <ZoneField label={`${words.zone}. ${templateWords.zoneHint}`} value={template?.timeZone} />
      {!template && <ComponentField label={templateWords.from} name="from" />}
    </Form>
  </Dialog>
)
