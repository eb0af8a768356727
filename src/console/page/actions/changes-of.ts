import { err, ok, type Result } from '../../../base/result.ts'
import { parameterValue, type ParameterField } from './parameter-fields.ts'

/** What the form changes, by the configuration's paths. The error is a sentence. */
export function changesOf(
  fields: readonly ParameterField[],
  texts: Readonly<Record<string, string>>,
): Result<Readonly<Record<string, unknown>>, string> {
  const changes: Record<string, unknown> = {}
  for (const field of fields) {
    const text = texts[field.path] ?? ''
    if (text === field.text) continue
    try {
      const value = parameterValue(field, text)
      if (value === undefined) return err(`${field.path}: a value is needed here`)
      changes[`strategy.params.${field.path}`] = value
    } catch {
      return err(`${field.path}: this is no JSON`)
    }
  }
  return Object.keys(changes).length === 0 ? err('Nothing is changed yet.') : ok(changes)
}
