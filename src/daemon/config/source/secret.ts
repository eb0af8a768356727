import { inspect } from 'node:util'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'

/**
 * A value that prints as '[secret]' wherever it is logged, inspected, joined or serialised. Only `reveal`
 * gives it away, so that a search for that word finds every place where a key leaves our hands.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}

/** What replaces a secret where none is read. */
export const SECRET_NOT_READ = new Secret('offline')

/** Where a secret is to be found: what `!env NAME` and `!file PATH` in the configuration stand for. */
export class SecretReference {
  readonly kind: 'env' | 'file'
  readonly where: string

  constructor(kind: 'env' | 'file', where: string) {
    this.kind = kind
    this.where = where
  }
}

export const SECRET_TAGS = { '!env': 'env', '!file': 'file' } as const

/** Someone may paste the key itself behind `!env`; what does not look like a variable's name is not repeated. */
const ENV_NAME = /^[A-Z][A-Z0-9_]*$/
const MAX_SECRET_BYTES = 65_536

/** Where `!env` looks. */
export type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the secret. A relative file is relative to the configuration file's folder, and one line end after the value is
 * not part of it. Errors are sentences that never hold a secret.
 */
export function readSecret(reference: SecretReference, configFile: string, env: Env): Result<Secret, string> {
  const value =
    reference.kind === 'env' ? fromEnv(reference.where, env) : fromFile(reference.where, configFile)
  if (!value.ok) return value
  const around = aroundProblem(value.value)
  if (around !== null)
    return err(`the secret behind !${reference.kind} has ${around} around it; the bare secret would be right`)
  if (/[^\x21-\x7e]/.test(value.value)) {
    return err(
      `the secret behind !${reference.kind} has spaces, line breaks or non-ASCII characters; one word of plain ASCII would be right`,
    )
  }
  return ok(new Secret(value.value))
}

/** What surrounds the value and no server would take; a file of variables keeps the quotes that a shell removes. */
function aroundProblem(text: string): string | null {
  if (text.trim() !== text) return 'spaces or line breaks'
  return text.length > 1 && /^(["'`]).*\1$/s.test(text) ? 'quotes' : null
}

function fromEnv(name: string, env: Env): Result<string, string> {
  const shown = ENV_NAME.test(name)
    ? `environment variable ${name}`
    : 'the environment variable that !env names'
  const value = env[name]
  if (value === undefined) return err(`${shown} is not set; set it to the secret, or use !file PATH`)
  if (value.trim() === '') return err(`${shown} is empty; set it to the secret, or use !file PATH`)
  return ok(value.trim())
}

function fromFile(path: string, configFile: string): Result<string, string> {
  if (path === '') return err('!file names no file; !file PATH would be right')
  try {
    const bytes = readFileSync(resolve(dirname(configFile), path))
    if (bytes.length > MAX_SECRET_BYTES)
      return err('the file that !file names is over 64 kB; a file with only the secret would be right')
    const value = bytes.toString('utf8').replace(/\r?\n$/, '')
    if (value.trim() === '')
      return err('the file that !file names is empty; a file with only the secret would be right')
    return ok(value)
  } catch (thrown) {
    const code = (thrown as { code?: string }).code ?? 'unreadable'
    return err(`the file that !file names cannot be read (${code}); give the path of a readable file`)
  }
}
