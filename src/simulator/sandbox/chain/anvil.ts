import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

/** Anvil, the local chain, was not found; names the places that were searched. */
export class NoAnvil extends Error {
  override readonly name = 'NoAnvil'
}

const PACKAGE = '@foundry-rs/anvil-linux-amd64'

/** The places to search; tests replace them. */
type AnvilPlaces = {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The package's package.json; null = not installed. */
  readonly packageFile: () => string | null
}

/** Returns the anvil to run: $MIZANI_ANVIL, else that of the optional package, else the one on PATH. Throws NoAnvil. */
export function findAnvil({ environment, packageFile }: AnvilPlaces = THIS_PROCESS): string {
  const named = environment['MIZANI_ANVIL']
  if (named !== undefined && named !== '') {
    if (isProgram(named)) return named
    throw new NoAnvil(`MIZANI_ANVIL names ${named}, which is not a program`)
  }
  const manifest = packageFile()
  const candidates = [
    ...(manifest === null ? [] : [join(dirname(manifest), 'bin', 'anvil')]),
    ...(environment['PATH'] ?? '')
      .split(delimiter)
      .map((folder) => (folder === '' ? '' : join(folder, 'anvil'))),
  ]
  const found = candidates.find((path) => path !== '' && isProgram(path))
  if (found !== undefined) return found
  throw new NoAnvil(
    `a local chain needs anvil, and none exists: on Linux x64 the optional package ${PACKAGE} has it ` +
      '(npm ci without --omit=optional); elsewhere install Foundry and put anvil on PATH, or name it in MIZANI_ANVIL',
  )
}

const THIS_PROCESS: AnvilPlaces = {
  environment: process.env,
  packageFile() {
    try {
      return createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)
    } catch {
      return null
    }
  },
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

type RunningAnvil = {
  /** JSON-RPC over HTTP, and over WebSocket under ws://. */
  readonly url: string
  /** Resolves once it has ended for any reason. */
  readonly ended: Promise<void>
  /** Kills it and waits until it has ended. */
  readonly close: () => Promise<void>
}

const READY_MS = 20_000

/**
 * The shell between this process and anvil waits for the end of its input, which also comes if this process is killed
 * without cleanup. So if either process ends, the other ends too, and anvil never outlives its parent.
 */
const KEEPER = `
exec 3<&0
"$0" "$@" </dev/null 3<&- &
chain=$!
{ read -r _ <&3; kill -9 "$chain" 2>/dev/null; } >/dev/null 2>&1 &
keeper=$!
exec 3<&-
wait "$chain"
status=$?
kill "$keeper" 2>/dev/null
exit "$status"
`

/** Starts anvil with these arguments and waits until it listens. Throws with its error output. */
export async function runAnvil(binary: string, args: readonly string[]): Promise<RunningAnvil> {
  const child = spawn('/bin/sh', ['-c', KEEPER, binary, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.on('error', () => {})
  const said: string[] = []
  child.stderr.on('data', (data: Buffer) => said.push(data.toString()))
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      said.push(error.message)
      resolve()
    })
    child.once('close', () => resolve())
  })
  const close = async () => {
    child.stdin.destroy()
    await ended
  }
  let url: string | null = null
  const listening = new Promise<void>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      // Later it logs every call, which is read and dropped so that its pipe never fills.
      if (url !== null) return
      said.push(data.toString())
      const match = /Listening on (\S+:\d+)/.exec(said.join(''))
      if (match === null) return
      url = `http://${match[1]}`
      said.length = 0
      resolve()
    })
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, READY_MS)))
  await Promise.race([listening, ended, late])
  clearTimeout(timer)
  if (url !== null) return { url, ended, close }
  await close()
  throw new Error(`anvil did not start: ${said.join('').trim().slice(-2_000) || 'it said nothing'}`)
}
