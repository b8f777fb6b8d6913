// The members of a stream that are no expression: names, kind, type, base cycle, unit.
import { useCycles, useUnits } from '../names.ts'
import { texts } from '../texts.ts'
import { Check, Choice } from '../ui/fields.tsx'
import { Field } from '../ui/parts.tsx'
import type { Draft } from './stream-draft.ts'

const all = texts.catalogue
const words = all.stream

export const StreamDefinition = ({
  draft,
  change,
  isEditable,
}: {
  readonly draft: Draft
  readonly change: (members: Partial<Draft>) => void
  readonly isEditable: boolean
}) => {
  const units = useUnits().value ?? {}
  const input = (label: string, member: 'id' | 'name' | 'description', isRequired = false) => (
    <Field label={label}>
      <input
        value={draft[member]}
        required={isRequired}
        onInput={(event) => change({ [member]: event.currentTarget.value })}
      />
    </Field>
  )
  return (
    <section class="card">
      <fieldset class="plain stack" disabled={!isEditable}>
        <legend>{words.definition}</legend>
        <div class="fields">
          {input(all.id, 'id', true)}
          {input(all.name, 'name')}
          {input(all.description, 'description')}
          <Choice
            label={words.kind}
            value={draft.kind}
            options={words.kinds}
            change={(kind) => change({ kind: kind as Draft['kind'] })}
          />
          <Choice
            label={words.type}
            value={draft.valueType}
            options={words.types}
            change={(valueType) => change({ valueType: valueType as Draft['valueType'] })}
          />
          {draft.kind === 'interval' && <CycleChoice label={words.cycle} draft={draft} change={change} />}
          <Choice
            label={words.unit}
            value={draft.unitUid}
            options={units}
            none={texts.none}
            change={(unitUid) => change({ unitUid })}
          />
        </div>
        <Check label={words.derived} isOn={draft.isDerived} change={(isDerived) => change({ isDerived })} />
        <p class="quiet">{words.fixed}</p>
      </fieldset>
    </section>
  )
}

const CycleChoice = ({
  label,
  draft,
  change,
}: {
  readonly label: string
  readonly draft: Draft
  readonly change: (members: Partial<Draft>) => void
}) => {
  const cycles = useCycles().value ?? {}
  return (
    <Choice
      label={label}
      value={draft.baseCycleId}
      options={cycles}
      none={texts.none}
      change={(baseCycleId) => change({ baseCycleId })}
    />
  )
}
