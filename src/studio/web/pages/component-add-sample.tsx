// A sample by hand: a reading of a meter, a correction.
import { useState } from 'preact/hooks'
import type { Component } from '../catalogue.ts'
import { streamsOf } from '../catalogue.ts'
import { timeOfLocal } from '../local-time.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form } from '../ui/parts.tsx'

const words = texts.component

export const AddSample = ({
  component,
  added,
}: {
  readonly component: Component
  /** Called when a stream was made by it. */
  readonly added: () => void
}) => {
  const [isOpen, setOpen] = useState(false)
  const zone = component.timeZone ?? 'UTC'
  const streams = streamsOf(component).filter(({ valueType, expression }) => valueType !== 'FILE' && !expression)
  const [chosen, setChosen] = useState(streams[0]?.id ?? '')
  return (
    <>
      <button onClick={() => setOpen(true)}>{words.addSample}</button>
      {isOpen && (
        <Dialog title={words.addSample} close={() => setOpen(false)}>
          <Form
            button={texts.save}
            submit={async ({ other = '', value = '', time = '' }) => {
              const sample = { compId: component.id ?? '', streamId: chosen || other, data: value }
              const ms = timeOfLocal(time, zone)
              await client.peek().put([ms === undefined ? sample : { ...sample, time: ms }])
              setOpen(false)
              if (chosen === '') added()
            }}
          >
            <Field label={words.stream}>
              <select onChange={(event) => setChosen(event.currentTarget.value)}>
                {streams.map(({ id, name }) => (
                  <option value={id ?? ''} selected={id === chosen}>
                    {name || id}
                  </option>
                ))}
                <option value="" selected={chosen === ''}>
                  {words.newStream}
                </option>
              </select>
            </Field>
            {chosen === '' && (
              <Field label={words.newStreamId}>
                <input name="other" required maxLength={512} />
              </Field>
            )}
            <Field label={words.sample}>
              <input name="value" required autofocus />
            </Field>
            <Field label={words.timeHint(zone)}>
              <input type="datetime-local" step={1} name="time" />
            </Field>
          </Form>
        </Dialog>
      )}
    </>
  )
}
