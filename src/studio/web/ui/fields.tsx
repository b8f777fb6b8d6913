// Fields of forms: a label, and the control that holds the value until the form is sent.
import type { ComponentChildren } from 'preact'
import { Field } from './parts.tsx'

type Named = { readonly label: string; readonly name: string }

export const TextField = ({
  label,
  name,
  value = '',
  hint,
  ...rest
}: Named & {
  readonly value?: string | undefined
  readonly hint?: string
  readonly required?: boolean
  readonly autofocus?: boolean
  readonly maxLength?: number
  readonly placeholder?: string
  readonly type?: string
  readonly list?: string
  readonly autocomplete?: string
  readonly min?: number
  readonly onInput?: (event: { readonly currentTarget: HTMLInputElement }) => void
}) => (
  <Field label={label}>
    <input name={name} defaultValue={value} {...(rest as object)} />
    {hint && <span class="hint">{hint}</span>}
  </Field>
)

/** Its text is its content: a default value of a textarea is lost when the page is drawn. */
export const LongField = ({
  label,
  name,
  value = '',
  rows = 3,
  placeholder,
}: Named & { readonly value?: string | undefined; readonly rows?: number; readonly placeholder?: string }) => (
  <Field label={label}>
    <textarea name={name} rows={rows} placeholder={placeholder}>
      {value}
    </textarea>
  </Field>
)

/** One of several. The one that is chosen is marked on its option: a select has no default value of its own. */
export const Choice = ({
  label,
  name,
  value,
  options,
  change,
  none,
}: {
  readonly label: string
  readonly name?: string
  readonly value: string | undefined
  readonly options: Readonly<Record<string, string>>
  readonly change?: (value: string) => void
  /** The words for none of them. */
  readonly none?: string
}) => (
  <Field label={label}>
    <select name={name} onChange={change && ((event) => change(event.currentTarget.value))}>
      {none !== undefined && (
        <option value="" selected={!value}>
          {none}
        </option>
      )}
      {Object.entries(options).map(([each, title]) => (
        <option key={each} value={each} selected={each === value}>
          {title}
        </option>
      ))}
    </select>
  </Field>
)

export const Check = ({
  label,
  name,
  isOn,
  change,
}: {
  readonly label: ComponentChildren
  readonly name?: string
  readonly isOn: boolean
  readonly change?: (isOn: boolean) => void
}) => (
  <label class="check">
    <input
      type="checkbox"
      name={name}
      defaultChecked={isOn}
      onChange={change && ((event) => change(event.currentTarget.checked))}
    />
    {label}
  </label>
)

/** A zone's name, with those that the browser knows to choose from. */
export const ZoneField = ({
  label,
  value,
  required = false,
}: {
  readonly label: string
  readonly value: string | null | undefined
  readonly required?: boolean
}) => (
  <>
    <TextField label={label} name="timeZone" value={value ?? ''} list="zones" required={required} />
    <datalist id="zones">
      {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
        <option key={zone} value={zone} />
      ))}
    </datalist>
  </>
)
