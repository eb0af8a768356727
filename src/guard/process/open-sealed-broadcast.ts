import { readFileSync } from 'node:fs'
import type { Result } from '../../base/result.ts'
import { parseSealed, type SealedCancels } from '../../rfq/sealed/sealed-cancels.ts'
import type { Link } from '../link.ts'
import { createSealedBroadcast, type SealedBroadcast } from './broadcast-sealed.ts'
import { type ChainEndpoint, createChainHand } from './chain-hand.ts'
import type { Report } from '../notices/report.ts'
import type { PositionSettings, SecretPlace } from './settings.ts'
import type { Clock } from './watch-parts.ts'

export type SealedBroadcastPlace = {
  readonly linkOf: (origin: string) => Link
  readonly report: Report
  readonly clock: Clock
  readonly secretAt: (place: SecretPlace, configFile: string) => Result<string, string>
}

/** What a position's guard sends on chain; null where the configuration wants nothing sent. */
export function openSealedBroadcast(
  position: PositionSettings,
  { linkOf, report, clock, secretAt }: SealedBroadcastPlace,
): SealedBroadcast | null {
  const { sealed, name, configFile } = position
  if (sealed === null) return null
  const endpoints = sealed.urls.flatMap((url): ChainEndpoint[] => {
    const read = typeof url === 'string' ? url : secretAt(url, configFile)
    const address = typeof read === 'string' ? read : read.ok ? read.value : null
    if (address !== null && URL.canParse(address)) {
      const { origin, pathname, search } = new URL(address)
      return [{ link: linkOf(origin), path: `${pathname}${search}` }]
    }
    report.log('warn', name, 'an endpoint of rfq.rpc.urls cannot be read here: the guard goes without it')
    return []
  })
  return createSealedBroadcast({
    readFile: () => readSealed(sealed.file, sealed.maker),
    // With fewer endpoints than must agree, nothing would ever be seen to be done.
    hand: createChainHand(endpoints, Math.max(1, Math.min(sealed.quorum, endpoints.length))),
    maxLifeMs: sealed.maxLifeMs,
    clock,
    log: (level, message) => report.log(level, name, message),
    notify: (code, message) => report.notify(code, position, message),
  })
}

function readSealed(file: string, maker: string): SealedCancels | string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException
    return `${file} cannot be read (${code}): no order was signed yet, or the folder is not that of the daemon`
  }
  const sealed = parseSealed(text)
  if (sealed === null) return `${file} is no file of sealed cancels`
  return sealed.maker === maker ? sealed : `${file} is of another wallet than rfq.maker`
}
