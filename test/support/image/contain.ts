import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../e2e/daemon/until.ts'
import type { BuiltImage } from './build-image.ts'

export type ContainOptions = {
  /** Folders of this machine, by the path where the program sees them. */
  readonly writable?: Readonly<Record<string, string>>
  readonly readOnly?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** Gets a core whenever it wants one, so that the clock measures the program and not what else runs here. */
  readonly isTimed?: boolean
}

export type Contained = {
  /** Everything printed so far. */
  readonly output: () => string
  readonly signal: (name: NodeJS.Signals) => Promise<void>
  /** The exit code, once it is gone. */
  readonly exited: Promise<number | null>
}

/**
 * The root is mounted read-only over itself, what is to be seen from outside is mounted into it, and the program takes
 * the place of the shell.
 */
const ENTER = `set -eu
root=$1 timed=$2 count=$3
shift 3
if [ "$timed" = true ]; then chrt --rr --pid 1 $$ || true; fi
mount --bind "$root" "$root"
while [ "$count" -gt 0 ]; do
  mount --bind "$1" "$root$2"
  mount -o "remount,bind,$3" "$root$2"
  count=$((count - 1))
  shift 3
done
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec "$@"
`

/**
 * Runs a command in the image as an engine does with --read-only, --cap-drop ALL and no-new-privileges: as the image's
 * own user and with nothing of this machine's environment. It is process 1 of its own world, where a signal without a
 * handler does nothing. The network is this machine's.
 */
export function contain(
  image: BuiltImage,
  command: readonly string[],
  { writable = {}, readOnly = {}, env = {}, isTimed = false }: ContainOptions = {},
): Contained {
  const mounts = [
    ...Object.entries(writable).map(([to, from]) => [from, to, 'rw']),
    ...Object.entries(readOnly).map(([to, from]) => [from, to, 'ro']),
  ]
  for (const path of ['/proc', '/dev', ...mounts.map(([, to = '']) => to)])
    mkdirSync(join(image.root, path), { recursive: true })
  const options = [image.root, String(isTimed), String(mounts.length), ...mounts.flat()]
  const inside = [...asUser(image, env), ...command]
  // Anyone who kills this process leaves nothing running.
  const outside = '--pdeathsig KILL unshare --mount --pid --fork --kill-child sh -c'.split(' ')
  const child = spawn('setpriv', [...outside, ENTER, 'enter', ...options, ...inside], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  // Its output ends with it: 'close' and not 'exit', so that nothing of that is missed.
  const exited = once(child, 'close').then(([code]) => code as number | null)
  return {
    output: () => output,
    exited,
    async signal(name) {
      const inner = await until('the program has begun', () => childOf(child.pid ?? 0))
      process.kill(inner, name)
    },
  }
}

/** The words before a command that make it the image's own: its variables, its user, its root. */
function asUser({ root, config }: BuiltImage, env: Readonly<Record<string, string>>): readonly string[] {
  const [user = '', group = ''] = config.User.split(':')
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const enter = [
    'unshare',
    '--root',
    root,
    '--wd',
    config.WorkingDir,
    '--setgid',
    group,
    '--setuid',
    user,
    '--',
  ]
  return ['env', '-i', ...config.Env, ...variables, 'setpriv', '--no-new-privs', ...enter]
}

/** The process that unshare started, as this machine numbers it. */
function childOf(pid: number): number | null {
  const [first = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return first === '' ? null : Number(first)
}
