import type { ParameterField } from './parameter-fields.ts'

type Props = {
  readonly fields: readonly ParameterField[]
  readonly texts: Readonly<Record<string, string>>
  readonly onChange: (path: string, text: string) => void
}

/** A field for each parameter, within its schema. */
export function ParameterForm({ fields, texts, onChange }: Props) {
  return (
    <div class="fields">
      {fields.map((field) => (
        <label key={field.path} class={field.kind === 'json' ? 'wide' : ''}>
          <span>
            {field.path}
            {texts[field.path] !== field.text && <em> changed</em>}
          </span>
          <Field
            field={field}
            text={texts[field.path] ?? ''}
            onChange={(text) => onChange(field.path, text)}
          />
          {field.note !== '' && <span class="note">{field.note}</span>}
        </label>
      ))}
    </div>
  )
}

type FieldProps = {
  readonly field: ParameterField
  readonly text: string
  readonly onChange: (text: string) => void
}

function Field({ field, text, onChange }: FieldProps) {
  if (field.kind === 'boolean' || field.kind === 'choice') {
    const choices = field.kind === 'boolean' ? ['true', 'false'] : field.choices
    return (
      <select value={text} onChange={(event) => onChange(event.currentTarget.value)}>
        {!field.isRequired && <option value="">by default</option>}
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  }
  if (field.kind === 'json') {
    return <textarea rows={4} value={text} onInput={(event) => onChange(event.currentTarget.value)} />
  }
  const onInput = (event: { readonly currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value)
  if (field.kind === 'text') return <input required={field.isRequired} value={text} onInput={onInput} />
  return (
    <input
      type="number"
      step={field.isInteger ? 1 : 'any'}
      min={field.min ?? undefined}
      max={field.max ?? undefined}
      required={field.isRequired}
      value={text}
      onInput={onInput}
    />
  )
}
