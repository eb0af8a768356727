import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'

const EXCHANGE: PinnedPackage = {
  spec: '@0x/contracts-zero-ex@0.38.6',
  integrity:
    'sha512-SeDDfexphDVOubNosO6PkvA9Grt5MGgT8bodUF+AODXiJ+CHYxWtBT7WYYkIvEmMYK0RMrtwtHRv8J9FgqV+Og==',
}
const TOKENS: PinnedPackage = {
  spec: '@0x/contract-artifacts@3.18.1',
  integrity:
    'sha512-aco5hSO/tF1QUm3W3siq09TUF/7enBzLlNh5IjFRFueXDjOeWRqHSJ9h2A9RmuTBPqA9qi7XYx53tV2cbCbJ1w==',
}

const CONTRACTS = {
  nativeOrders: [EXCHANGE, 'package/lib/generated-artifacts/NativeOrdersFeature.json'],
  proxy: [EXCHANGE, 'package/lib/generated-artifacts/ZeroEx.json'],
  feeCollectorController: [EXCHANGE, 'package/lib/generated-artifacts/FeeCollectorController.json'],
  token: [TOKENS, 'package/lib/artifacts/DummyERC20Token.json'],
} as const

export type ContractCode = { readonly [name in keyof typeof CONTRACTS]: Code }
type Code = {
  /** The deployment's code, without the constructor's arguments. */
  readonly creation: `0x${string}`
  /** The code on the chain afterwards, immutables still zero. */
  readonly runtime: `0x${string}`
}

export type FetchTarball = (wanted: PinnedPackage) => Promise<Buffer>

/** Returns the cache folder of everything downloaded or generated: $MIZANI_CACHE/contracts, else ~/.cache/mizani/contracts. */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const named = environment['MIZANI_CACHE']
  return join(named === undefined || named === '' ? join(homedir(), '.cache', 'mizani') : named, 'contracts')
}

/**
 * Returns the code of the real exchange and of a plain test token, from the verified npm packages on first use and
 * from the cache later. None of it is part of this repository.
 */
export async function contractCode(
  folder: string,
  fetch: FetchTarball = (wanted) => fetchTarball(wanted),
): Promise<ContractCode> {
  const kept = await keptChainFile(folder, 'code-0.38.6-3.18.1', async () => {
    const code = { ...(await codeOf(EXCHANGE, fetch)), ...(await codeOf(TOKENS, fetch)) }
    return Buffer.from(JSON.stringify(code))
  })
  return JSON.parse(kept.content.toString()) as ContractCode
}

const hex = z
  .string()
  .regex(/^(0x)?([0-9a-fA-F]{2})+$/)
  .transform((text) => (text.startsWith('0x') ? text : `0x${text}`) as `0x${string}`)
const Artifact = z.object({
  compilerOutput: z.object({
    evm: z.object({ bytecode: z.object({ object: hex }), deployedBytecode: z.object({ object: hex }) }),
  }),
})

async function codeOf(wanted: PinnedPackage, fetch: FetchTarball): Promise<Record<string, Code>> {
  const contracts = Object.entries(CONTRACTS).filter(([, [source]]) => source === wanted)
  const files = readTar(
    await fetch(wanted),
    contracts.map(([, [, path]]) => path),
  )
  return Object.fromEntries(
    contracts.map(([name, [, path]]) => {
      const { evm } = Artifact.parse(JSON.parse(files.get(path)?.toString() ?? '')).compilerOutput
      return [name, { creation: evm.bytecode.object, runtime: evm.deployedBytecode.object }]
    }),
  )
}

/**
 * Returns the path of a file that is made once and cached. Its content is stored under its own SHA-256, and a small
 * file named `name` points to it; both are renamed into place. A damaged file is therefore detected and made again,
 * and several processes may do this at once.
 */
export async function keptChainFile(
  folder: string,
  name: string,
  make: () => Promise<Buffer>,
): Promise<{ readonly path: string; readonly content: Buffer }> {
  const kept = readKept(folder, name)
  if (kept !== null) return kept
  const content = await make()
  const digest = sha256(content)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, digest)
  writeWhole(path, content)
  writeWhole(join(folder, name), digest)
  return { path, content }
}

function readKept(folder: string, name: string): { path: string; content: Buffer } | null {
  try {
    const digest = readFileSync(join(folder, name), 'utf8')
    if (!/^[0-9a-f]{64}$/.test(digest)) return null
    const path = join(folder, digest)
    const content = readFileSync(path)
    return sha256(content) === digest ? { path, content } : null
  } catch {
    // Missing or unreadable: either way the file is made again, which reports the cause if that fails too.
    return null
  }
}

function writeWhole(path: string, content: Buffer | string): void {
  const partial = `${path}.${randomUUID()}.part`
  writeFileSync(partial, content)
  renameSync(partial, path)
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** A published package, pinned by its hash. */
type PinnedPackage = {
  /** `name@version`. */
  readonly spec: string
  /** `sha512-` and base64, in npm's format. */
  readonly integrity: string
}

const FETCH_MS = 120_000

/**
 * Returns the package's gzipped tarball by `npm pack`, which uses the configured registry and runs no script. Throws
 * if it cannot be fetched or does not match the pinned hash, without using its content.
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

/** Returns the contents of these files of a gzipped tar, by path. Throws if one is missing or the archive is truncated. */
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
