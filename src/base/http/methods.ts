/** A method that changes something; a read never becomes a write. */
type WriteMethod = 'PATCH' | 'POST' | 'PUT'

const WRITES: readonly WriteMethod[] = ['PATCH', 'POST', 'PUT']
/** What is tried where a server names no method at all. */
const UNNAMED: Readonly<Record<string, readonly WriteMethod[]>> = { POST: ['PATCH'], PATCH: ['POST'] }

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** The methods that an Allow header names, in capitals; null where there is no such header. */
export function allowedMethods({ headers }: { readonly headers: Headers }): readonly string[] | null {
  const allow = headers['allow'] ?? []
  const names = (typeof allow === 'string' ? allow : allow.join(',')).split(',').map((name) => name.trim())
  const given = names.filter((name) => name !== '')
  return given.length === 0 ? null : given.map((name) => name.toUpperCase())
}

/** The write that stands in for a refused one: one of `allowed`, or the other of POST and PATCH where that is null. */
export function otherMethod(refused: string, allowed: readonly string[] | null): WriteMethod | null {
  const names = allowed ?? UNNAMED[refused] ?? []
  return WRITES.find((method) => method !== refused && names.includes(method)) ?? null
}
