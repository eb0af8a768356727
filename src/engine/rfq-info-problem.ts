import type { RfqSettings } from '../rfq/rfq-settings.ts'
import type { RfqInfoEvent } from './order-event.ts'

/** Why no order can be signed after this answer of GET /rfq/info; null = it does not contradict the settings. */
export function rfqInfoProblem(
  settings: RfqSettings,
  { solverWallet, chainId, exchange }: Pick<RfqInfoEvent, 'solverWallet' | 'chainId' | 'exchange'>,
): string | null {
  const said = [
    ['solver', settings.solver, solverWallet?.toLowerCase() ?? null],
    ['chainId', settings.chainId, chainId],
    ['exchange', settings.exchange, exchange?.toLowerCase() ?? null],
  ] as const
  for (const [name, ours, theirs] of said) {
    if (ours === null || theirs === null || ours === theirs) continue
    return `GET /rfq/info says ${name} ${theirs}, rfq.${name} says ${ours}: nothing is signed until they agree`
  }
  if (solverWallet !== null && /^0x0+$/i.test(solverWallet))
    return 'GET /rfq/info names the zero address as solver: no order for it can be filled, so none is signed'
  if (settings.solver !== null || solverWallet !== null) return null
  return 'GET /rfq/info names no solver: name it in rfq.solver'
}
