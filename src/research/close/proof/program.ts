import { spawnSync, type StdioOptions } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { MINUTE_MS } from '../../../base/time.ts'

/** The programs that sign and verify closes, and the Debian package of each. */
const PACKAGES = { 'ssh-keygen': 'openssh-client', openssl: 'openssl' } as const
type Program = keyof typeof PACKAGES

/** OPENSSL_CONF disables the machine's OpenSSL settings. TZ: times of a signers' file without a Z are local. */
const ENVIRONMENT = ['PATH', 'TZ']
/** Environment variables for passphrase dialogs and key agents. */
const DIALOG = 'HOME SSH_AUTH_SOCK SSH_ASKPASS SSH_ASKPASS_REQUIRE DISPLAY WAYLAND_DISPLAY XAUTHORITY'.split(
  ' ',
)
const MOST_WORDS = 400

/** Standard input of the program: empty, a file of the folder, or the terminal. */
type Input = { readonly file: string } | 'person' | null

/** A temporary folder for one use of the programs. */
type Scratch = {
  /** Runs a program in the folder and returns its output. The error is the program's own message, or the missing package. */
  readonly run: (program: Program, args: readonly string[], input?: Input) => Result<string, string>
  readonly read: (name: string) => Buffer
}

/**
 * Writes these files into a new folder that only this user can open, and removes it after `use`. The image, whose root
 * is read-only, names a folder for temporary files to SQLite.
 */
export function withScratch<T>(
  files: Readonly<Record<string, Uint8Array>>,
  use: (scratch: Scratch) => Result<T, string>,
): Result<T, string> {
  const parent = process.env['TMPDIR'] ?? process.env['SQLITE_TMPDIR'] ?? '/tmp'
  let folder: string | null = null
  try {
    folder = mkdtempSync(join(parent, 'mizani-proof-'))
    const path = (name: string) => join(folder ?? '', name)
    for (const [name, bytes] of Object.entries(files)) writeFileSync(path(name), bytes)
    return use({
      run: (program, args, input = null) => runIn(path(''), program, args, input),
      read: (name) => readFileSync(path(name)),
    })
  } catch (error) {
    return err(
      `temporary files in ${parent} cannot be used (${errorText(error)}): set TMPDIR to a folder that you may write`,
    )
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
}

function runIn(cwd: string, program: Program, args: readonly string[], input: Input): Result<string, string> {
  const isAsking = input === 'person'
  const timeout = isAsking ? 5 * MINUTE_MS : MINUTE_MS
  const names = isAsking ? [...ENVIRONMENT, ...DIALOG] : ENVIRONMENT
  const kept = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  const env = { ...Object.fromEntries(kept), LC_ALL: 'C', OPENSSL_CONF: '/dev/null' } as NodeJS.ProcessEnv
  const stdin = input === null ? 'ignore' : isAsking ? 'inherit' : openSync(join(cwd, input.file), 'r')
  try {
    const stdio: StdioOptions = [stdin, 'pipe', 'pipe']
    const limits = { timeout, killSignal: 'SIGKILL', encoding: 'utf8' } as const
    const ended = spawnSync(program, args, { cwd, env, stdio, ...limits })
    const code = (ended.error as { readonly code?: string } | undefined)?.code
    if (code === 'ENOENT')
      return err(`${program} is not installed: install the Debian package ${PACKAGES[program]}`)
    if (code === 'ETIMEDOUT') return err(`${program} did not end within ${timeout / 1_000} s`)
    if (ended.error !== undefined) return err(`${program} cannot be run (${code ?? ended.error.message})`)
    if (ended.status === 0) return ok(ended.stdout)
    return err(
      `${program}: ${wordsOf(ended.stderr) || wordsOf(ended.stdout) || (ended.signal ?? `exit code ${ended.status}`)}`,
    )
  } finally {
    if (typeof stdin === 'number') closeSync(stdin)
  }
}

/** Returns a program's output as one line, without decoration and source locations. */
export function wordsOf(printed: string): string {
  const lines = printed
    .split('\n')
    .map((line) => line.replace(/^[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]*):[^:]*:\d+:/, '$1 ').trim())
    .filter((line) => !/^($|@|Using configuration from )/.test(line))
  return lines.join('; ').slice(0, MOST_WORDS)
}
