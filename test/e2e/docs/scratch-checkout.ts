import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TEST_ENV } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export type Ran = { readonly code: number | null; readonly out: string; readonly err: string }

/** Variables as `export` sets them. */
export type Exported = Readonly<Record<string, string>>

export type Background = {
  readonly output: () => string
  /** As Ctrl-C does it: to everything that the command started. */
  readonly interrupt: () => Promise<Ran>
}

export type ScratchCheckout = {
  readonly path: string
  readonly write: (name: string, text: string) => void
  readonly read: (name: string) => string
  /** One command line, by a shell as a person has it, to its end. */
  readonly run: (command: string, env?: Exported) => Promise<Ran>
  /** One that continues, once `sign` was on its output. */
  readonly start: (command: string, sign: RegExp, env?: Exported) => Promise<Background>
  readonly remove: () => Promise<void>
}

/** A folder in which every command of the documents works as in a clone, and that may be written to. */
export function scratchCheckout(): ScratchCheckout {
  const path = mkdtempSync(join(tmpdir(), 'mizani-docs-'))
  for (const shared of ['bin', 'src', 'strategies', 'scripts', 'node_modules', 'tsconfig.json'])
    symlinkSync(join(ROOT, shared), join(path, shared))
  for (const own of ['package.json', 'config', 'examples'])
    cpSync(join(ROOT, own), join(path, own), { recursive: true })
  const running = new Set<ChildProcess>()

  function spawned(
    command: string,
    env: Exported,
  ): { child: ChildProcess; ended: Promise<Ran>; output: () => string } {
    const child = spawn('sh', ['-c', command], {
      cwd: path,
      // The Node that runs the tests, as `npm ci` brings it for the reader.
      env: {
        ...process.env,
        // A newcomer has no key and no token.
        MIZANI_API_KEY: undefined,
        MIZANI_HTTP_TOKEN: undefined,
        NODE_COMPILE_CACHE: TEST_ENV.NODE_COMPILE_CACHE,
        ...env,
        PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    running.add(child)
    let [out, err] = ['', '']
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text))
    const ended = new Promise<Ran>((done) =>
      child.once('close', (code) => {
        running.delete(child)
        done({ code, out, err })
      }),
    )
    return { child, ended, output: () => out + err }
  }

  return {
    path,
    write(name, text) {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), text)
    },
    read: (name) => readFileSync(join(path, name), 'utf8'),
    run: (command, env = {}) => spawned(command, env).ended,
    async start(command, sign, env = {}) {
      const { child, ended, output } = spawned(`exec ${command}`, env)
      let hasEnded = false
      void ended.then(() => (hasEnded = true))
      await until(`${command} says ${sign}`, () => hasEnded || sign.test(output()), {
        otherwise: output,
      })
      if (!sign.test(output())) throw new Error(`${command} ended without ${sign}:\n${output()}`)
      return {
        output,
        interrupt() {
          process.kill(-Number(child.pid), 'SIGINT')
          return ended
        },
      }
    },
    async remove() {
      for (const child of running) process.kill(-Number(child.pid), 'SIGKILL')
      await until('they are gone', () => running.size === 0)
      rmSync(path, { recursive: true, force: true })
    },
  }
}
