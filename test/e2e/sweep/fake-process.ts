import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { FakeWork } from './fake-sweep-process.ts'

const SCRIPT = fileURLToPath(new URL('./fake-sweep-process.ts', import.meta.url))

/** A running process of fakes. */
export type FakeProcess = {
  readonly child: ChildProcess
  /** How many results it knew of when it last said so; -1 = it has said nothing yet. */
  readonly done: () => number
  /** Its outcome; null = it was killed before it had one. */
  readonly ended: Promise<unknown>
}

const running = new Set<ChildProcess>()

export function startFake(work: FakeWork): FakeProcess {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(work)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = new Promise((resolve) => {
    child.on('close', () => {
      running.delete(child)
      const outcome = /^end (.*)$/m.exec(said)?.[1]
      resolve(outcome === undefined ? null : (JSON.parse(outcome) as unknown))
    })
  })
  return {
    child,
    done: () =>
      Number(
        said
          .match(/^done (\d+)$/gm)
          ?.at(-1)
          ?.slice(5) ?? -1,
      ),
    ended,
  }
}

/** Whatever a failed test left running. */
export async function endFakes(): Promise<void> {
  const left = [...running]
  for (const child of left) child.kill('SIGKILL')
  await Promise.all(left.map((child) => new Promise((resolve) => child.once('close', resolve))))
}
