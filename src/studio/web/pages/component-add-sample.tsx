// A sample by hand: a reading of a meter, a correction.
import { useState } from 'preact/hooks'
import type { Component } from '../catalogue.ts'
import { timeOfLocal } from '../local-time.ts'
import { client } from '../session.ts'
import type { StreamRows } from '../stream-search.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form } from '../ui/parts.tsx'
import { StreamField } from '../ui/pick.tsx'

const words = texts.component

export const AddSample = ({
  component,
  first: { rows, totalCount },
  added,
}: {
  readonly component: Component
  readonly first: StreamRows
  /** Called when a stream was made by it. */
  readonly added: () => void
}) => {
  const [isOpen, setOpen] = useState(false)
  const zone = component.timeZone ?? 'UTC'
  const streams = rows.filter(({ valueType, expression }) => valueType !== 'FILE' && !expression)
  const [chosen, setChosen] = useState(streams[0]?.id ?? '')
  const isAll = rows.length === totalCount
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
              if (!streams.some(({ id }) => id === chosen)) added()
            }}
          >
            {isAll ? (
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
            ) : (
              <StreamField
                label={words.stream}
                of={{ componentId: component.id ?? '' }}
                value={chosen}
                change={setChosen}
              />
            )}
            {isAll && chosen === '' && (
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
