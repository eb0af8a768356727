import { inspect } from 'node:util'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'

/**
 * A value that prints as '[secret]' wherever it is logged, inspected, joined or serialised. Only `reveal` returns the value, so a search
 * for that word finds every place where a key is used.
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

/** The placeholder where secrets are not read. */
export const SECRET_NOT_READ = new Secret('offline')

/** Where a secret is stored: `!env NAME` or `!file PATH` in the configuration. */
export class SecretReference {
  readonly kind: 'env' | 'file'
  readonly where: string

  constructor(kind: 'env' | 'file', where: string) {
    this.kind = kind
    this.where = where
  }
}

export const SECRET_TAGS = { '!env': 'env', '!file': 'file' } as const

/** Someone may paste the key itself after `!env`; text that does not look like a variable name is not repeated. */
const ENV_NAME = /^[A-Z][A-Z0-9_]*$/
const MAX_SECRET_BYTES = 65_536

/** The variables that `!env` reads. */
export type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the secret. A relative path is resolved against the configuration's folder; one trailing line break is dropped. Errors are
 * sentences that never contain a secret.
 */
export function readSecret(reference: SecretReference, configFile: string, env: Env): Result<Secret, string> {
  const value =
    reference.kind === 'env' ? fromEnv(reference.where, env) : fromFile(reference.where, configFile)
  if (!value.ok) return value
  const around = aroundProblem(value.value)
  if (around !== null)
    return err(`the secret behind !${reference.kind} has ${around} around it; use the bare secret`)
  if (/[^\x21-\x7e]/.test(value.value)) {
    return err(
      `the secret behind !${reference.kind} has spaces, line breaks or non-ASCII characters; use one word of plain ASCII`,
    )
  }
  return ok(new Secret(value.value))
}

/** Returns what surrounds the value that no server would accept; env files keep the quotes that a shell removes. */
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
  if (path === '') return err('!file names no file; use !file PATH')
  try {
    const bytes = readFileSync(resolve(dirname(configFile), path))
    if (bytes.length > MAX_SECRET_BYTES)
      return err('the file that !file names is over 64 kB; use a file with only the secret')
    const value = bytes.toString('utf8').replace(/\r?\n$/, '')
    if (value.trim() === '') return err('the file that !file names is empty; use a file with only the secret')
    return ok(value)
  } catch (thrown) {
    const code = (thrown as { code?: string }).code ?? 'unreadable'
    return err(`the file that !file names cannot be read (${code}); give the path of a readable file`)
  }
}
