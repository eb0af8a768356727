import type { ComponentChildren } from 'preact'
import { FILL_MODELS } from '../../../core/models/fill-models.ts'

type FieldProps = {
  readonly label: ComponentChildren
  readonly value: string
  readonly onChange: (value: string) => void
  /** Explains the field below it. */
  readonly note?: ComponentChildren
}

type InputProps = {
  readonly type?: 'password' | 'search' | 'text'
  readonly required?: boolean
  readonly maxLength?: number
  readonly autocomplete?: 'name' | 'off'
  readonly inputMode?: 'decimal' | 'text'
  readonly pattern?: string
  readonly title?: string
}

/** A text field with its label. */
export function TextField({
  label,
  value,
  onChange,
  note,
  type = 'text',
  ...input
}: FieldProps & InputProps) {
  // Preact's types allow only one kind of input at a time.
  const kind = type as 'text'
  return (
    <label>
      {label}
      <input
        autocomplete="off"
        type={kind}
        {...input}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {note !== undefined && <span class="note">{note}</span>}
    </label>
  )
}

/** Whole tokens, with or without commas. */
export function AmountField(props: FieldProps) {
  return (
    <TextField
      {...props}
      required
      inputMode="decimal"
      pattern="[0-9][0-9 ,]*(\.[0-9]+)?"
      title="whole tokens, such as 500,000 or 250.5"
    />
  )
}

/** Returns the amount without separators between its digits. */
export function plainAmount(text: string): string {
  return text.replaceAll(/[\s,]/g, '')
}

type SelectProps = FieldProps & {
  readonly required?: boolean
  /** The sent value and the shown text, if they differ. */
  readonly options: readonly (string | readonly [value: string, name: string])[]
}

/** A choice of values with its label. */
export function SelectField({ label, value, onChange, note, required, options }: SelectProps) {
  return (
    <label>
      {label}
      <select required={required} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => {
          const [sent, name] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={sent} value={sent}>
              {name}
            </option>
          )
        })}
      </select>
      {note !== undefined && <span class="note">{note}</span>}
    </label>
  )
}

const AS_CONFIGURED = ['', 'as configured'] as const

/** The fill model of a backtest; '' = that of the configuration. */
export function FillModelField(props: Pick<FieldProps, 'value' | 'onChange'>) {
  const note = 'Which takers trade with the quote.'
  return <SelectField label="Fill model" note={note} options={[AS_CONFIGURED, ...FILL_MODELS]} {...props} />
}
