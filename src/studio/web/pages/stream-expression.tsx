// The expression of a derived stream, and the streams that its names stand for (docs/derived.md#expression-and-variables).
import type { ScriptError } from '../editor/editor.tsx'
import { Editor } from '../editor/editor.tsx'
import { useCycles } from '../names.ts'
import { hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { Choice } from '../ui/fields.tsx'
import { Field } from '../ui/parts.tsx'
import { ComponentField, StreamField } from '../ui/pick.tsx'
import type { Draft, Owner, Variable } from './stream-draft.ts'
import { variableName } from './stream-draft.ts'

const words = texts.catalogue.stream

const statistics = [
  'avg',
  'sum',
  'min',
  'max',
  'first',
  'last',
  'nongapcount',
  'gapcount',
  'intvlcount',
  'minoccurrence',
  'maxoccurrence',
  'milliseccount',
  'nongapmilliseccount',
] as const

const statisticNames = Object.fromEntries(statistics.map((name) => [name, name]))

export const Expression = ({
  draft: { expression, variables },
  owner,
  change,
  error,
}: {
  readonly draft: Draft
  readonly owner: Owner
  readonly change: (members: Partial<Draft>) => void
  readonly error: ScriptError | undefined
}) => {
  const isReadOnly = !hasRole('member')
  const set = (list: readonly Variable[]) => change({ variables: list })
  return (
    <section class="card stack">
      <h2>{words.expression}</h2>
      <div class="framed">
        <Editor
          label={words.expression}
          value={expression}
          change={(text) => change({ expression: text })}
          error={error}
          names={variables.map(({ name }) => name)}
          isReadOnly={isReadOnly}
          isShort
        />
      </div>
      <fieldset class="plain stack" disabled={isReadOnly}>
        <legend>{words.variables}</legend>
        {variables.map((variable, index) => (
          <VariableRow
            key={index}
            variable={variable}
            owner={owner}
            taken={variables.flatMap(({ name }, at) => (at === index ? [] : [name]))}
            change={(next) => set(variables.map((each, at) => (at === index ? next : each)))}
            remove={() => set(variables.filter((_, at) => at !== index))}
          />
        ))}
        {!isReadOnly && (
          <div>
            <button type="button" onClick={() => set([...variables, { name: '', streamId: '' }])}>
              {words.variable.add}
            </button>
          </div>
        )}
      </fieldset>
    </section>
  )
}

const VariableRow = ({
  variable,
  owner,
  taken,
  change,
  remove,
}: {
  readonly variable: Variable
  readonly owner: Owner
  readonly taken: readonly string[]
  readonly change: (variable: Variable) => void
  readonly remove: () => void
}) => {
  const cycles = useCycles().value ?? {}
  const { name, componentId = '', streamId, offset = 0, cycleId = '', statistic = '' } = variable
  const of =
    componentId !== '' || owner.kind === 'component'
      ? { componentId: componentId || (owner.kind === 'component' ? owner.id : '') }
      : { templateUid: owner.uid }
  /** A name that nobody has chosen follows the stream. */
  const named = (id: string) => (name === '' || name === variableName(streamId, taken) ? variableName(id, taken) : name)
  return (
    <div class="variable" role="group" aria-label={words.variable.of(name)}>
      <Field label={words.variable.name}>
        <input
          value={name}
          required
          pattern="[A-Za-z_]\w*"
          onInput={(event) => change({ ...variable, name: event.currentTarget.value })}
        />
      </Field>
      {/* Variables of a template name streams of the same component only. */}
      {owner.kind === 'component' && (
        <ComponentField
          label={words.variable.component}
          value={componentId}
          placeholder={words.variable.own}
          change={(id) => change(withText(variable, 'componentId', id))}
        />
      )}
      <StreamField
        label={words.variable.stream}
        of={of}
        value={streamId}
        change={(id) => change({ ...variable, streamId: id, name: named(id) })}
      />
      <Field label={words.variable.offset}>
        <input
          type="number"
          max={0}
          step={1}
          value={offset}
          onInput={(event) => change(withOffset(variable, Number(event.currentTarget.value)))}
        />
      </Field>
      <Choice
        label={words.variable.cycle}
        value={cycleId}
        options={cycles}
        none={words.variable.plain}
        change={(id) => change(withText(variable, 'cycleId', id))}
      />
      <Choice
        label={words.variable.statistic}
        value={statistic}
        options={statisticNames}
        none={words.variable.usual}
        change={(id) => change(withText(variable, 'statistic', id))}
      />
      {hasRole('member') && (
        <button type="button" class="bare danger" onClick={remove}>
          {texts.chart.remove}
        </button>
      )}
    </div>
  )
}

/** A member that is blank is left out. */
const withText = (variable: Variable, member: 'componentId' | 'cycleId' | 'statistic', text: string): Variable => {
  const { [member]: _before, ...others } = variable
  return text === '' ? others : { ...others, [member]: text }
}

const withOffset = (variable: Variable, offset: number): Variable => {
  const { offset: _before, ...others } = variable
  return offset === 0 ? others : { ...others, offset }
}
