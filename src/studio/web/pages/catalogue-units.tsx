// Units: how the values of streams are shown.
import { texts } from '../texts.ts'
import { Choice, TextField } from '../ui/fields.tsx'
import { EntityDialog, Managed } from '../ui/managed.tsx'
import type { Edited } from '../ui/managed.tsx'

const words = texts.catalogue
const unitWords = words.unit

export const Units = () => (
  <Managed
    entity="unit"
    add={unitWords.add}
    empty={unitWords.none}
    loss={unitWords.loss}
    nameOf={({ name }) => name}
    editor={(edited) => <UnitDialog {...edited} />}
    columns={[
      { title: words.name, shown: ({ name }) => <strong>{name}</strong> },
      { title: words.id, shown: ({ id }) => id },
      { title: unitWords.symbol, shown: ({ symbol }) => symbol },
      { title: unitWords.format, shown: ({ numberFormat }) => <code>{numberFormat}</code> },
      { title: unitWords.booleans, shown: ({ booleanStyle }) => unitWords.styles[booleanStyle] },
    ]}
  />
)

const UnitDialog = (edited: Edited<'unit'>) => {
  const { of: unit } = edited
  return (
    <EntityDialog
      {...edited}
      entity="unit"
      title={unit?.name ?? unitWords.add}
      members={({ id = '', name = '', ...others }) => ({ id, ...(name === '' ? {} : { name }), ...others })}
    >
      <TextField label={words.id} name="id" value={unit?.id ?? ''} required={!unit} maxLength={512} autofocus />
      <TextField label={words.name} name="name" value={unit?.name} required={!!unit} maxLength={512} />
      <TextField label={unitWords.symbol} name="symbol" value={unit?.symbol} placeholder=" °C" />
      <Choice
        label={unitWords.location}
        name="symbolLocation"
        value={unit?.symbolLocation ?? 'after'}
        options={unitWords.locations}
      />
      <TextField
        label={unitWords.format}
        name="numberFormat"
        value={unit?.numberFormat ?? '0.##'}
        hint={unitWords.formatHint}
      />
      <Choice
        label={unitWords.booleans}
        name="booleanStyle"
        value={unit?.booleanStyle ?? 'TRUE_FALSE'}
        options={unitWords.styles}
      />
    </EntityDialog>
  )
}
