/** The writing methods; a read never becomes a write. */
type WriteMethod = 'PATCH' | 'POST' | 'PUT'

const WRITES: readonly WriteMethod[] = ['PATCH', 'POST', 'PUT']
/** The alternatives if the server does not name a method. */
const UNNAMED: Readonly<Record<string, readonly WriteMethod[]>> = { POST: ['PATCH'], PATCH: ['POST'] }

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Returns the methods of an Allow header in capitals; null = the header is missing. */
export function allowedMethods({ headers }: { readonly headers: Headers }): readonly string[] | null {
  const allow = headers['allow'] ?? []
  const names = (typeof allow === 'string' ? allow : allow.join(',')).split(',').map((name) => name.trim())
  const given = names.filter((name) => name !== '')
  return given.length === 0 ? null : given.map((name) => name.toUpperCase())
}

/** Returns the method to retry a refused write with: one of `allowed`, else the other of POST and PATCH, or null. */
export function otherMethod(refused: string, allowed: readonly string[] | null): WriteMethod | null {
  const names = allowed ?? UNNAMED[refused] ?? []
  return WRITES.find((method) => method !== refused && names.includes(method)) ?? null
}
