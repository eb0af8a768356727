import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { fail } from '../output/print.ts'
import { servePositions } from './serve-positions.ts'

const VOICE = { json: false }

/** The daemon, in the foreground, until a signal ends it. */
export async function run(options: { readonly config: readonly string[] }): Promise<void> {
  const configs: LoadedConfig[] = []
  for (const file of options.config) {
    const config = await loadOrExplain(file, VOICE, { forTrading: true, apart: 'load' })
    if (config !== null) configs.push(config)
  }
  if (configs.length < options.config.length) return
  const clash = findConflict(configs)
  if (clash !== null) return fail(VOICE, EXIT_CODE.usage, clash)
  await servePositions(configs)
}

/**
 * Why these configurations cannot run side by side in one process, in a sentence; null = they can. They share
 * the HTTP server and nothing else.
 */
export function findConflict(configs: readonly LoadedConfig[]): string | null {
  const name = twice(configs.map((config) => config.core.name))
  if (name !== undefined) return `two configurations are named ${name}; each position needs its own name`
  const store = twice(configs.map((config) => config.store.path))
  if (store !== undefined)
    return `two configurations use the store ${store}; each position needs its own store`
  const wallet = twice(configs.flatMap(committedWallet))
  if (wallet !== undefined)
    return `two configurations sign orders from ${wallet}; each would commit all of its balance, so each position needs its own wallet`
  const account = twice(configs.flatMap(quotedAccount))
  if (account !== undefined)
    return `two configurations trade with one key at ${account.split(' ')[0]}; both would set its one quote and book its fills, so each position needs its own key`
  const [first] = configs
  const other = configs.find((config) => first !== undefined && !isSameServer(config.http, first.http))
  if (other === undefined) return null
  return `${other.file}: http differs from ${first?.file ?? ''}; positions of one process share one HTTP server`
}

function twice(values: readonly string[]): string | undefined {
  return values.find((value, index) => values.indexOf(value) !== index)
}

/** The wallet whose tokens a position commits; none in a dry run, which signs nothing. */
function committedWallet({ core: { rfq, mode } }: LoadedConfig): readonly string[] {
  return rfq === null || mode === 'dry-run' ? [] : [`the wallet ${rfq.maker} on chain ${rfq.chainId}`]
}

/** The account a position quotes from, by the venue's address and the key; none in a dry run, which only reads. */
function quotedAccount({ core, venue, apiKey }: LoadedConfig): readonly string[] {
  return core.mode === 'dry-run' ? [] : [`${venue.baseUrl.replace(/\/+$/, '')} ${apiKey.reveal()}`]
}

/** With other tokens the commands of that configuration would be refused. */
function isSameServer(one: LoadedConfig['http'], other: LoadedConfig['http']): boolean {
  return one.host === other.host && one.port === other.port && tokensOf(one) === tokensOf(other)
}

function tokensOf({ token, readToken, tokens }: LoadedConfig['http']): string {
  const named = tokens.map(({ name, may, token: secret }) => [name, may, secret.reveal()])
  return JSON.stringify([token?.reveal(), readToken?.reveal(), named])
}
