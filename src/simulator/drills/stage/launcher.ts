import { randomBytes } from 'node:crypto'
import type { Result } from '../../../base/result.ts'
import { TEST_ACCOUNTS } from '../../sandbox/chain/addresses.ts'
import { type DaemonProcess, startDaemon, type Person } from './daemon.ts'
import { onSmallDisk } from './disk.ts'
import { PEOPLE, DRILL_ENV } from './drilled-treasury.ts'
import { DRILL_KEY } from './market.ts'
import { DRILL_PARTNER_KEY } from './partner.ts'
import { type DrilledProcess, type ProcessStart, startProcess } from './process.ts'

/** How to start `mizani`: drilled processes use the same program as the drill. */
export type Program = { readonly execPath: string; readonly launcher: string }

/** Where the processes of a stage find everything. */
type LaunchParts = {
  readonly program: Program
  readonly config: string
  readonly clockFile: string
  readonly storeFolder: string
  readonly receiverUrl: string
  /** True if the daemon's store is on a small separate disk. */
  readonly hasSmallDisk: boolean
}

export type Launcher = {
  readonly daemon: () => Promise<Result<DaemonProcess, string>>
  readonly guard: () => Promise<Result<DrilledProcess, string>>
  /** Kills every process without waiting. */
  readonly abandon: () => void
}

/** The environment variables that a drilled process inherits: none may hold a key. */
const PASSED_ON = ['PATH', 'TMPDIR', 'LANG', 'LC_ALL', 'NODE_COMPILE_CACHE'] as const

/** Starts and restarts the daemon and the guard of one stage. */
export function createLauncher(parts: LaunchParts): Launcher {
  const { program, config, clockFile, storeFolder, receiverUrl, hasSmallDisk } = parts
  const token = newToken()
  const [first, second] = PEOPLE
  const people: readonly [Person, Person] = [
    { name: first.name, token: newToken() },
    { name: second.name, token: newToken() },
  ]
  const ends: (() => void)[] = []
  const preload = preloadUrl(clockFile, process.pid)
  const env = { ...passedOn(), ...secretsOf(token, people, receiverUrl) }
  const onSpawn: ProcessStart['onSpawn'] = (end) => void ends.push(end)
  return {
    daemon() {
      const plain = commandOf(program, ['--import', preload], ['run', '--config', config])
      const command = hasSmallDisk ? onSmallDisk(plain, storeFolder) : plain
      return startDaemon({ command, env, token, people, onSpawn })
    },
    guard: () =>
      startProcess({
        name: 'guard',
        command: commandOf(program, [], ['guard', '--config', config]),
        // The guard replaces its process, which keeps the environment but not the options.
        env: { ...env, NODE_OPTIONS: `--import=${preload}` },
        listening: 'guarding',
        onSpawn,
      }),
    abandon() {
      for (const end of ends) end()
    },
  }
}

function commandOf(
  { execPath, launcher }: Program,
  options: readonly string[],
  command: readonly string[],
): readonly [string, ...string[]] {
  return [execPath, '--disable-sigusr1', ...options, launcher, ...command]
}

function passedOn(): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function newToken(): string {
  return randomBytes(24).toString('hex')
}

function secretsOf(
  token: string,
  [first, second]: readonly [Person, Person],
  receiverUrl: string,
): Record<string, string> {
  return {
    [DRILL_ENV.key]: DRILL_KEY,
    [DRILL_ENV.token]: token,
    [DRILL_ENV.receiver]: receiverUrl,
    [DRILL_ENV.hmac]: newToken(),
    [DRILL_ENV.maker]: TEST_ACCOUNTS.maker.key,
    [DRILL_ENV.partner]: DRILL_PARTNER_KEY,
    [DRILL_ENV.firstPerson]: first.token,
    [DRILL_ENV.secondPerson]: second.token,
  }
}

/** Interval at which a drilled process checks its clock and the drill. */
const POLL_MS = 250

/**
 * Returns a module that is loaded before a drilled process, in each of its threads: a wall clock that the drill can
 * set, and an exit once the drill (`drillPid`) has ended for any reason, detected by its missing folder or process. A
 * `data:` URL needs no file next to the program.
 */
function preloadUrl(clockFile: string, drillPid: number): string {
  const code = `
import { existsSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
const trueNow = Date.now.bind(Date)
let offsetMs = 0
Date.now = () => trueNow() + offsetMs
const file = ${JSON.stringify(clockFile)}
const isOver = () => {
  if (process.ppid === ${drillPid}) return false
  try {
    process.kill(${drillPid}, 0)
    return false
  } catch {
    return true
  }
}
const look = () => {
  if (existsSync(file)) offsetMs = Number(readFileSync(file, 'utf8'))
  else if (isMainThread) process.kill(process.pid, 'SIGKILL')
  if (isMainThread && isOver()) process.kill(process.pid, 'SIGKILL')
}
look()
setInterval(look, ${POLL_MS}).unref()
`
  return `data:text/javascript,${encodeURIComponent(code)}`
}
