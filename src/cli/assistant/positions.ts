import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { err, ok, type Result } from '../../base/result.ts'
import { DEFAULTS_FILE } from '../../daemon/config/load/fleet-defaults.ts'
import { parseConfig } from '../../daemon/config/load/parse-config.ts'
import { readStore } from '../../daemon/config/load/store.ts'
import type { ConfigFile } from '../../daemon/config/schema/schema.ts'
import { formatProblem } from '../../daemon/config/source/problem.ts'
import { type Env, readSecret } from '../../daemon/config/source/secret.ts'
import { placeOption } from '../../store/place.ts'

/** A position as named in its file. Of the file's secrets, only `http.readToken` and `store.postgres` are read. */
export type NamedPosition = {
  readonly name: string
  readonly file: string
  /**
   * Its store in the form of an option: with a password if it is in PostgreSQL, so it is never printed. The error is
   * a sentence: without the secret the daemon can still be asked, but nothing is computed over another store.
   */
  readonly store: Result<string, string>
}

/** The positions of a process, the address of its daemon, and the token for reading there. */
type Served = {
  readonly positions: readonly NamedPosition[]
  readonly http: { readonly host: string; readonly port: number }
  readonly readToken: string | null
}

/** A separate token for the assistant, used instead of `http.readToken`. */
export const TOKEN_VARIABLE = 'MIZANI_READ_TOKEN'

/** Returns the files of `--fleet`; the error is a sentence. */
export function fleetFiles(folder: string): Result<readonly string[], string> {
  try {
    const names = readdirSync(folder).filter(
      (name) => name.endsWith('.yaml') && !name.startsWith('.') && name !== DEFAULTS_FILE,
    )
    if (names.length === 0) return err(`${folder} has no file of a position`)
    return ok(names.sort().map((name) => join(folder, name)))
  } catch (thrown) {
    const code = (thrown as { code?: string }).code ?? 'unreadable'
    return err(`${folder} cannot be read as a folder (${code}); give the folder of a fleet`)
  }
}

/** Reads the needed settings of each file; the server and the token are those of the first file, as in the daemon. */
export function readServed(files: readonly string[], env: Env): Result<Served, string> {
  const positions: NamedPosition[] = []
  let first: Pick<Served, 'http' | 'readToken'> | null = null
  for (const path of files) {
    const parsed = parseConfig(path, {})
    if (!parsed.ok) return err(parsed.error.map(formatProblem).join('\n'))
    const { name, http } = parsed.value.file
    positions.push({ name, file: resolve(path), store: storeOf(parsed.value.file, path, env) })
    if (first !== null) continue
    const token = tokenOf(http.readToken, path, env)
    if (!token.ok) return err(`${path}: http.readToken: ${token.error}`)
    first = { http: { host: http.host, port: http.port }, readToken: token.value }
  }
  return first === null ? err('no configuration was given') : ok({ positions, ...first })
}

function storeOf(file: ConfigFile, path: string, env: Env): Result<string, string> {
  const read = readStore(file, path, env, false)
  if (read.ok) return ok(placeOption(read.value.place))
  return err(`its store cannot be read here: ${read.error.map(({ message }) => message).join('; ')}`)
}

function tokenOf(
  reference: Parameters<typeof readSecret>[0] | null,
  file: string,
  env: Env,
): Result<string | null, string> {
  const own = env[TOKEN_VARIABLE]?.trim()
  if (own !== undefined && own !== '') return ok(own)
  if (reference === null) return ok(null)
  const read = readSecret(reference, file, env)
  return read.ok ? ok(read.value.reveal()) : read
}
