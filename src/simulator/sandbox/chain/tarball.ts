import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'

/** A published package, pinned to the very bytes. */
export type PinnedPackage = {
  /** `name@version`. */
  readonly spec: string
  /** `sha512-` and base64, as npm writes it. */
  readonly integrity: string
}

const FETCH_MS = 120_000

/**
 * The package's tarball, gzipped, by `npm pack`, which asks the registry that npm is set up for and runs
 * no script. Throws where it cannot be had, and where it is not the pinned one: nothing of it is used then.
 */
export async function fetchTarball(wanted: PinnedPackage, npm = 'npm'): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-pack-'))
  try {
    await pack(wanted, npm, folder)
    const [file] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
    if (file === undefined) throw new Error(`npm pack ${wanted.spec} left no tarball`)
    const tarball = readFileSync(join(folder, file))
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    if (integrity !== wanted.integrity) {
      throw new Error(
        `${wanted.spec} is not the package it should be: its integrity is ${integrity}, expected ${wanted.integrity}`,
      )
    }
    return tarball
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function pack({ spec }: PinnedPackage, npm: string, folder: string): Promise<void> {
  try {
    await promisify(execFile)(
      npm,
      ['pack', spec, '--pack-destination', folder, '--ignore-scripts', '--silent'],
      {
        cwd: folder,
        timeout: FETCH_MS,
      },
    )
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(
      `the exchange contract comes from the npm package ${spec}, which could not be fetched: ` +
        (stderr?.trim() || message),
      { cause: error },
    )
  }
}

const BLOCK = 512

/** The contents of these files of a gzipped tar, by path. Throws where one is missing or the archive is cut short. */
export function readTar(gzipped: Buffer, paths: readonly string[]): ReadonlyMap<string, Buffer> {
  const tar = gunzipSync(gzipped)
  const found = new Map<string, Buffer>()
  for (let at = 0; at + BLOCK <= tar.length;) {
    const name = text(tar, at, 100)
    if (name === '') break
    const prefix = text(tar, at + 345, 155)
    const path = prefix === '' ? name : `${prefix}/${name}`
    const size = Number.parseInt(text(tar, at + 124, 12), 8)
    if (!Number.isSafeInteger(size) || at + BLOCK + size > tar.length)
      throw new Error('the tarball is cut short')
    if (paths.includes(path)) found.set(path, tar.subarray(at + BLOCK, at + BLOCK + size))
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  const missing = paths.find((path) => !found.has(path))
  if (missing !== undefined) throw new Error(`the tarball has no ${missing}`)
  return found
}

function text(tar: Buffer, at: number, length: number): string {
  const field = tar.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('latin1', 0, end === -1 ? length : end).trim()
}
