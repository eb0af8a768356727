import type { ParameterField } from './parameter-fields.ts'
import type { PreviewAnswer } from '../../answers.ts'
import { numberText } from '../text.ts'

type ParameterFormProps = {
  readonly fields: readonly ParameterField[]
  readonly texts: Readonly<Record<string, string>>
  readonly onChange: (path: string, text: string) => void
}

/** A field for each parameter, within its schema. */
export function ParameterForm({ fields, texts, onChange }: ParameterFormProps) {
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

/** The quote before and after the change, with the reasons. */
export function PreviewTable({ preview }: { readonly preview: PreviewAnswer }) {
  const { before, after, problem } = preview
  if (after === null) return <p class="bad">{problem ?? 'The change cannot be previewed.'}</p>
  const rows = [
    ['Bid, bps', side(before.bidBps), side(after.bidBps)],
    ['Ask, bps', side(before.askBps), side(after.askBps)],
    ['State', before.tradingState, after.tradingState],
  ] as const
  return (
    <div class="preview">
      <table>
        <thead>
          <tr>
            <th scope="col">After the change</th>
            <th scope="col" class="number">
              Now
            </th>
            <th scope="col" class="number">
              Then
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, now, then]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{now}</td>
              <td class={`number ${now === then ? '' : 'changed'}`}>{then}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ol class="because">
        {after.because.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ol>
      {problem !== null && <p class="warn">{problem}</p>}
    </div>
  )
}

function side(bps: number | null): string {
  return bps === null ? 'off' : numberText(bps, 0)
}
