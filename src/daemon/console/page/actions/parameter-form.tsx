import type { ParameterField } from './parameter-fields.ts'
import type { PreviewAnswer, PreviewedQuote } from '../../answers.ts'
import { Column, TableHead } from '../table-head.tsx'
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

/** The quote before and after, with why. */
export function PreviewTable({ preview }: { readonly preview: PreviewAnswer }) {
  const { before, after, problem } = preview
  if (after === null) return <p class="bad">{problem ?? 'It cannot be tried.'}</p>
  return (
    <div class="preview">
      <table>
        <TableHead>
          <Column>What would stand</Column>
          <Column number>Now</Column>
          <Column number>Then</Column>
        </TableHead>
        <tbody>
          <tr>
            <th scope="row">Bid, bps</th>
            <Pair before={side(before.bidBps)} after={side(after.bidBps)} />
          </tr>
          <tr>
            <th scope="row">Ask, bps</th>
            <Pair before={side(before.askBps)} after={side(after.askBps)} />
          </tr>
          <tr>
            <th scope="row">State</th>
            <Pair before={before.tradingState} after={after.tradingState} />
          </tr>
        </tbody>
      </table>
      <Because quote={after} />
      {problem !== null && <p class="warn">{problem}</p>}
    </div>
  )
}

function Pair({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <>
      <td class="number">{before}</td>
      <td class={`number ${before === after ? '' : 'changed'}`}>{after}</td>
    </>
  )
}

function Because({ quote }: { readonly quote: PreviewedQuote }) {
  return (
    <ol class="because">
      {quote.because.map((line, index) => (
        <li key={index}>{line}</li>
      ))}
    </ol>
  )
}

function side(bps: number | null): string {
  return bps === null ? 'off' : numberText(bps, 0)
}
