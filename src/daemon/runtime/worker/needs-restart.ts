import { encodeJson } from '../../../base/codec.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { LoadedChannels } from '../../config/load/channels.ts'
import { formatBand } from '../../../base/money/rate.ts'

/** What differs and is built into connections and files: it cannot change between two steps. By the keys' names. */
export function needsRestart(before: LoadedConfig, after: LoadedConfig): string[] {
  const changed: string[] = []
  if (before.core.name !== after.core.name) changed.push('name')
  if (before.core.mode !== after.core.mode) changed.push('mode')
  if (before.isolate !== after.isolate) changed.push('isolate')
  if (JSON.stringify(before.venue) !== JSON.stringify(after.venue)) changed.push('venue')
  if (encodeJson(before.withdraw) !== encodeJson(after.withdraw)) changed.push('withdraw')
  if (JSON.stringify(before.store) !== JSON.stringify(after.store)) changed.push('store')
  if (JSON.stringify(before.record) !== JSON.stringify(after.record)) changed.push('record')
  if (corridorOf(before) !== corridorOf(after)) changed.push('risk.priceCorridor')
  if (custodyOf(before) !== custodyOf(after)) changed.push('rfq')
  if (chainOf(before) !== chainOf(after)) changed.push('chain')
  if (notifyOf(before) !== notifyOf(after)) changed.push('notify')
  if (alertOf(before) !== alertOf(after)) changed.push('alert')
  if (treasuryShellOf(before) !== treasuryShellOf(after)) changed.push('treasury')
  if (feedsTextOf(before) !== feedsTextOf(after)) changed.push('feeds')
  const { host, port } = before.http
  if (host !== after.http.host || port !== after.http.port) changed.push('http')
  // Its address follows that of the server.
  else if (guardOf(before) !== guardOf(after)) changed.push('guard')
  if (before.http.token?.reveal() !== after.http.token?.reveal()) changed.push('http.token')
  if (before.http.readToken?.reveal() !== after.http.readToken?.reveal()) changed.push('http.readToken')
  if (before.http.readsNeedToken !== after.http.readsNeedToken) changed.push('http.readsNeedToken')
  if (tokensOf(before) !== tokensOf(after)) changed.push('http.tokens')
  if (JSON.stringify(before.log) !== JSON.stringify(after.log)) changed.push('log')
  return changed
}

/** The price corridor is the last bound on any price: an operator who is deceived cannot move it while the daemon runs. */
function corridorOf({ core: { risk } }: LoadedConfig): string {
  return risk.priceCorridor ? formatBand(risk.priceCorridor) : ''
}

/** With the secrets themselves: a new token in the same file is a change. */
function tokensOf({ http }: LoadedConfig): string {
  return JSON.stringify(http.tokens.map(({ name, may, token }) => [name, may, token.reveal()]))
}

/** The signer's terms and the chain's endpoints: what an order is, and who signs it where. */
function custodyOf({ core, rfq }: LoadedConfig): string {
  if (core.rfq === null || rfq === null) return ''
  const { chainId, exchange, maker, solver, tokens, confirmations } = core.rfq
  // What may be approved is read by a command, not by the daemon.
  const { approve: _amounts, signer, ...shell } = rfq
  const secrets = [...rfq.rpc.urls, ...(signer.kind === 'env' ? [signer.key] : [])].map((one) => one.reveal())
  return encodeJson([chainId, exchange, maker, solver, tokens, confirmations, shell, signer, secrets])
}

/** Where the leases are renewed, and under which terms. */
function guardOf({ guard }: LoadedConfig): string {
  return JSON.stringify([guard, guard?.token?.reveal()])
}

/** Which wallet is watched, and through whom. */
function chainOf({ chain }: LoadedConfig): string {
  return chain === null ? '' : encodeJson([chain, chain.urls.map((url) => url.reveal())])
}

/** Whose capital moves through which key, and who is listened to; bands, payees and approvals may change. */
function treasuryShellOf({ treasury }: LoadedConfig): string {
  if (treasury === null) return ''
  const { core, apiKey, ...shell } = treasury
  const secrets = [apiKey, ...(shell.webhooks?.secrets ?? [])].map((one) => one.reveal())
  return encodeJson([shell, secrets, core.userId, core.mode])
}

/** What is read and how it is judged, with the secrets themselves. */
function feedsTextOf({ feeds }: LoadedConfig): string {
  const secrets = feeds.flatMap(({ source }) =>
    source.kind === 'http' ? [source.url, ...Object.values(source.headers)] : [],
  )
  return encodeJson([feeds, secrets.map((one) => one.reveal())])
}

/** The channels with the secrets themselves: a new token in the same file is a change. */
function notifyOf({ notify }: LoadedConfig): string {
  return notify === null ? '' : JSON.stringify([notify, secretsOf(notify)])
}

/** The service outside and the people of the escalation, with the secrets themselves. */
function alertOf({ alert }: LoadedConfig): string {
  const secrets = alert.escalation.map(({ channels }) => secretsOf(channels))
  return JSON.stringify([alert, alert.heartbeat?.url.reveal(), secrets])
}

function secretsOf({ telegram, slack, webhook }: LoadedChannels): readonly (string | undefined)[] {
  const secrets = [telegram?.botToken, slack?.webhookUrl, webhook?.url, webhook?.hmacKey]
  return secrets.map((one) => one?.reveal())
}
