import { err, ok, type Result } from '../result.ts'
import { isRecord } from '../record.ts'

type Fields = Readonly<Record<string, unknown>>

/** Other names of documented fields: a field, a field of a nested object (`account.isActive`), or a pattern. */
export type Aliases = Readonly<Record<string, readonly (string | RegExp)[]>>

type Stated = { readonly name: string; readonly value: unknown }

/**
 * Returns the body with each aliased field under its documented name. Absent and null mean "missing". Errors if a name
 * and its alias disagree; letter case and trailing decimal zeros are ignored.
 */
export function withDocumentedNames(body: Fields, aliases: Aliases): Result<Fields, string> {
  const found: Record<string, unknown> = {}
  for (const [name, others] of Object.entries(aliases)) {
    const [first, ...rest] = [name, ...others].flatMap((alias) => statedAs(body, alias))
    if (first === undefined) continue
    const other = rest.find(({ value }) => textOf(value) !== textOf(first.value))
    if (other !== undefined)
      return err(
        `${first.name}: ${quotedValue(first.value)}, and ${other.name} is ${quotedValue(other.value)}`,
      )
    found[name] = first.value
  }
  return ok({ ...body, ...found })
}

function statedAs(body: Fields, alias: string | RegExp): readonly Stated[] {
  const names = typeof alias === 'string' ? [alias] : Object.keys(body).filter((name) => alias.test(name))
  return names
    .map((name) => ({ name, value: fieldAt(body, name) }))
    .filter(({ value }) => value !== undefined && value !== null)
}

function fieldAt(body: Fields, name: string): unknown {
  if (Object.hasOwn(body, name)) return body[name]
  const [outer = '', inner] = name.split('.')
  const fields = inner === undefined || !Object.hasOwn(body, outer) ? null : body[outer]
  return inner !== undefined && isRecord(fields) ? fields[inner] : undefined
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return /^-?\d{1,60}\.\d{1,60}$/.test(text) ? text.replace(/\.?0+$/, '') : text.toLowerCase()
}

const LONGEST_SHOWN = 60

/** Returns an outside value as JSON for a message, cut to 60 characters. */
export function quotedValue(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, LONGEST_SHOWN)
}
