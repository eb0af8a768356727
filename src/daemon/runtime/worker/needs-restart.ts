import { encodeJson } from '../../../base/codec.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { LoadedChannels } from '../../config/load/channels.ts'
import { formatBand } from '../../../base/money/rate.ts'

/** The keys that connections and files are built from, each with the part of the configuration it depends on, including secrets. */
const FIXED: Readonly<Record<string, (config: LoadedConfig) => unknown>> = {
  name: ({ core }) => core.name,
  mode: ({ core }) => core.mode,
  isolate: ({ isolate }) => isolate,
  venue: ({ venue }) => venue,
  withdraw: ({ withdraw }) => withdraw,
  store: ({ store }) => store,
  record: ({ record }) => record,
  // The last bound on any price: even a deceived operator cannot move it while the daemon runs.
  'risk.priceCorridor': ({ core: { risk } }) => (risk.priceCorridor ? formatBand(risk.priceCorridor) : null),
  rfq: custodyOf,
  chain: ({ chain }) => chain && [chain, chain.urls.map((url) => url.reveal())],
  notify: ({ notify }) => notify && [notify, secretsOf(notify)],
  alert: ({ alert }) => [
    alert,
    alert.heartbeat?.url.reveal() ?? null,
    alert.escalation.map(({ channels }) => secretsOf(channels)),
  ],
  treasury: treasuryShellOf,
  feeds: feedsOf,
  http: ({ http }) => [http.host, http.port],
  guard: ({ guard }) => [guard, guard?.token?.reveal() ?? null],
  'http.token': ({ http }) => http.token?.reveal() ?? null,
  'http.readToken': ({ http }) => http.readToken?.reveal() ?? null,
  'http.readsNeedToken': ({ http }) => http.readsNeedToken,
  'http.tokens': ({ http }) => http.tokens.map(({ name, may, token }) => [name, may, token.reveal()]),
  log: ({ log }) => log,
}

/** Returns the keys that differ and cannot change while the daemon runs. */
export function needsRestart(before: LoadedConfig, after: LoadedConfig): string[] {
  const changed = Object.keys(FIXED).filter(
    (key) => encodeJson([FIXED[key]?.(before)]) !== encodeJson([FIXED[key]?.(after)]),
  )
  // The guard's address is derived from the server's.
  return changed.includes('http') ? changed.filter((key) => key !== 'guard') : changed
}

/** Returns the signer's terms and the chain's endpoints: how orders are built, and where and by whom they are signed. */
function custodyOf({ core, rfq }: LoadedConfig): unknown {
  if (core.rfq === null || rfq === null) return null
  const { chainId, exchange, maker, solver, tokens, confirmations } = core.rfq
  // Only a command reads the approvals, not the daemon.
  const { approve: _amounts, signer, ...shell } = rfq
  const secrets = [...rfq.rpc.urls, ...(signer.kind === 'env' ? [signer.key] : [])].map((one) => one.reveal())
  return [chainId, exchange, maker, solver, tokens, confirmations, shell, signer, secrets]
}

/** Returns whose capital moves through which key, and whose webhooks are accepted. Bands, payees and approvals may change at run time. */
function treasuryShellOf({ treasury }: LoadedConfig): unknown {
  if (treasury === null) return null
  const { core, apiKey, ...shell } = treasury
  const secrets = [apiKey, ...(shell.webhooks?.secrets ?? [])].map((one) => one.reveal())
  return [shell, secrets, core.userId, core.mode]
}

/** Returns the sources of the feeds and how they are judged, including secrets. */
function feedsOf({ feeds }: LoadedConfig): unknown {
  const secrets = feeds.flatMap(({ source }) =>
    source.kind === 'http' ? [source.url, ...Object.values(source.headers)] : [],
  )
  return [feeds, secrets.map((one) => one.reveal())]
}

function secretsOf({ telegram, slack, webhook }: LoadedChannels): readonly (string | undefined)[] {
  const secrets = [telegram?.botToken, slack?.webhookUrl, webhook?.url, webhook?.hmacKey]
  return secrets.map((one) => one?.reveal())
}
