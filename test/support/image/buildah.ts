import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import type { Surroundings } from '../needs.ts'

/** One store of images, of a test's own. */
export type Buildah = {
  /** Runs a command of buildah and gives what it printed, trimmed. */
  readonly run: (...words: readonly string[]) => Promise<string>
  /** Containers and images go; what they mounted has to be left first. */
  readonly remove: () => Promise<void>
}

const run = promisify(execFile)
const BUILD_MS = 150_000

/** For `needs('buildah', imageSurroundings())`: without root, a build has no way to have other users in it. */
export function imageSurroundings(): Surroundings {
  const isRoot = userInfo().uid === 0
  const why = isRoot ? '' : ' (and these tests need root)'
  return {
    searchPath: isRoot ? ['/usr/bin', process.env['PATH'] ?? ''].join(delimiter) : '',
    ci: process.env['CI'] === 'true',
    say: (line) => void process.stderr.write(`${line}${why}\n`),
  }
}

/** Neither overlays nor namespaces are needed, so that it also works inside of a container. */
export function openBuildah(folder: string): Buildah {
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  const call = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await run('buildah', [...store, ...words], {
      timeout: BUILD_MS,
      maxBuffer: 2 ** 26,
      env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
    })
    return stdout.trim()
  }
  return {
    run: call,
    async remove() {
      await call('rm', '--all')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
