// Cycles: the divisions of time that statistics and interval streams go by. Those that every organization has stay.
import { texts } from '../texts.ts'
import { Choice, TextField, ZoneField } from '../ui/fields.tsx'
import { EntityDialog, Managed } from '../ui/managed.tsx'
import type { Edited } from '../ui/managed.tsx'

const words = texts.catalogue
const cycleWords = words.cycle

export const Cycles = () => (
  <Managed
    entity="cycle"
    add={cycleWords.add}
    loss={cycleWords.loss}
    nameOf={({ name }) => name}
    isOwn={({ isStock }) => !isStock}
    editor={(edited) => <CycleDialog {...edited} />}
    columns={[
      {
        title: words.name,
        shown: ({ name, isStock }) => (
          <>
            <strong>{name}</strong> {isStock && <span class="tag">{cycleWords.stock}</span>}
          </>
        ),
      },
      { title: words.id, shown: ({ id }) => id },
      { title: cycleWords.length, shown: ({ size, unit }) => `${size} ${size === 1 ? unit : cycleWords.units[unit]}` },
      { title: cycleWords.reference, shown: ({ reference }) => reference.replace('T', ' ') },
      { title: words.zone, shown: ({ timeZone }) => timeZone ?? <span class="quiet">{cycleWords.own}</span> },
    ]}
  />
)

const CycleDialog = (edited: Edited<'cycle'>) => {
  const { of: cycle } = edited
  return (
    <EntityDialog
      {...edited}
      entity="cycle"
      title={cycle?.name ?? cycleWords.add}
      members={({ id, name = '', size, unit, reference = '', timeZone }) => ({
        id,
        ...(name === '' ? {} : { name }),
        size: Number(size),
        unit,
        // A browser leaves out seconds that are nought.
        reference: reference.length === 16 ? `${reference}:00` : reference,
        timeZone: timeZone || null,
      })}
    >
      <TextField label={words.id} name="id" value={cycle?.id ?? ''} required maxLength={512} autofocus />
      <TextField label={words.name} name="name" value={cycle?.name} required={!!cycle} maxLength={512} />
      <div class="pair">
        <TextField
          label={cycleWords.size}
          name="size"
          type="number"
          min={1}
          value={String(cycle?.size ?? 1)}
          required
        />
        <Choice label={cycleWords.unit} name="unit" value={cycle?.unit ?? 'hour'} options={cycleWords.units} />
      </div>
      <TextField
        label={cycleWords.reference}
        name="reference"
        type="datetime-local"
        value={cycle?.reference ?? '2001-01-01T00:00:00'}
        required
      />
      <ZoneField label={`${words.zone}. ${cycleWords.zoneHint}`} value={cycle?.timeZone} />
    </EntityDialog>
  )
}
