import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { keptChainFile } from './kept-file.ts'
import { fetchTarball, type PinnedPackage, readTar } from './tarball.ts'

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
  /** What a deployment sends, without the constructor's arguments. */
  readonly creation: `0x${string}`
  /** What lies on the chain afterwards, immutables still zero. */
  readonly runtime: `0x${string}`
}

export type FetchTarball = (wanted: PinnedPackage) => Promise<Buffer>

/** Where everything fetched and made is kept: $MIZANI_CACHE/contracts, else ~/.cache/mizani/contracts. */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const named = environment['MIZANI_CACHE']
  return join(named === undefined || named === '' ? join(homedir(), '.cache', 'mizani') : named, 'contracts')
}

/**
 * The code of the real exchange and of a plain test token, from the verified npm packages on the first use
 * and from the cache ever after. None of it is part of this repository.
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
