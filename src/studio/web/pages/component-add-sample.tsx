// A sample by hand: a reading of a meter, a correction.
import { useState } from 'preact/hooks'
import type { Component } from '../catalogue.ts'
import { streamsOf } from '../catalogue.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form } from '../ui/parts.tsx'

const words = texts.component

export const AddSample = ({ component }: { readonly component: Component }) => {
  const [isOpen, setOpen] = useState(false)
  const streams = streamsOf(component).filter(({ valueType, expression }) => valueType !== 'FILE' && !expression)
  return (
    <>
      <button onClick={() => setOpen(true)}>{words.addSample}</button>
      {isOpen && (
        <Dialog title={words.addSample} close={() => setOpen(false)}>
          <Form
            button={texts.save}
            submit={async ({ streamId = '', other = '', value = '', time = '' }) => {
              const sample = { compId: component.id ?? '', streamId: streamId || other, data: value }
              await client.peek().put([time === '' ? sample : { ...sample, time: Number(time) }])
              setOpen(false)
            }}
          >
            <Field label={words.stream}>
              <select name="streamId">
                {streams.map(({ id, name }) => (
                  <option value={id ?? ''}>{name || id}</option>
                ))}
                <option value="">{words.newStream}</option>
              </select>
            </Field>
            <Field label={words.newStreamId}>
              <input name="other" />
            </Field>
            <Field label={words.value}>
              <input name="value" required autofocus />
            </Field>
            <Field label={words.timeHint}>
              <input name="time" inputMode="numeric" pattern="-?[0-9]*" />
            </Field>
          </Form>
        </Dialog>
      )}
    </>
  )
}
