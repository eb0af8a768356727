import { spawnSync } from 'node:child_process'

export type Program = { readonly program: string; readonly words: readonly string[] }

export type ProcessRun = {
  readonly stdout: string
  /** Of the whole process, from its start to its end. */
  readonly cpuSeconds: number
  readonly wallSeconds: number
}

const CORE = '0'
const LIMIT_MS = 1_200_000
/** The shell's own `times` is the portable way to a child's processor time. */
const TIMED = '"$@"; status=$?; times >&2; exit $status'

/** Runs a program on one core where `taskset` is there. */
export function runOnOneCore({ program, words }: Program, taskset: string | null): ProcessRun {
  return runTimed(taskset === null ? [program, ...words] : [taskset, '-c', CORE, program, ...words])
}

/** Runs a program to its end. Throws with the tail of its stderr when it fails. */
export function runTimed(words: readonly string[]): ProcessRun {
  const began = performance.now()
  const { status, signal, stdout, stderr, error } = spawnSync('sh', ['-c', TIMED, 'sh', ...words], {
    encoding: 'utf8',
    timeout: LIMIT_MS,
    maxBuffer: 2 ** 28,
    env: { ...process.env, MIZANI_API_KEY: 'none', NODE_OPTIONS: '' },
  })
  const wallSeconds = (performance.now() - began) / 1_000
  if (error !== undefined) throw new Error(`${words.join(' ')} did not run: ${error.message}`)
  if (status !== 0)
    throw new Error(
      `${words.join(' ')} ended with ${signal ?? `exit ${status}`}: ${stderr.slice(-1_000).trim()}`,
    )
  return { stdout, cpuSeconds: childrensSeconds(stderr), wallSeconds }
}

/** `times` prints the shell's own user and system time, and in its last line that of its children: 0m1.250s 0m0.310s. */
export function childrensSeconds(stderr: string): number {
  const last = stderr.trim().split('\n').at(-1) ?? ''
  const times = /^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/.exec(last)
  if (times === null) throw new Error(`the shell printed ${last || 'nothing'} where its times belong`)
  const [userMinutes, user, systemMinutes, system] = times.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
  ]
  return 60 * (userMinutes + systemMinutes) + user + system
}
