import type { WalletWatch } from '../../../custody/chain/watch-wallet.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { WalletTransfersEvent } from '../../../core/engine/model/event.ts'
import { type Notice, positionNotice } from '../../notify/notice.ts'
import type { Log } from '../../telemetry/log/log.ts'
import type { Clock } from '../position/clock.ts'

type OpenWatchParts = {
  readonly config: Pick<LoadedConfig, 'chain'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly submit: (event: WalletTransfersEvent) => void
  readonly notify: (notice: Notice) => void
}

/**
 * Watches the wallet of pooled capital if `chain` is configured; otherwise returns null. An unreadable chain is only reported:
 * the balances of the venue are still reconciled.
 */
export async function openWalletWatch(parts: OpenWatchParts): Promise<WalletWatch | null> {
  const { config, clock, log, submit, notify } = parts
  const { chain } = config
  if (chain === null) return null
  // Loaded lazily because it is large; already loaded if a strategy has locked the thread down.
  const { watchWallet } = await import('../../../custody/chain/watch-wallet.ts')
  const onProblem = (problem: string | null) => {
    if (problem === null)
      return log.info({ event: 'wallet-watch' }, 'transfers out of the wallet are watched again')
    const message = `transfers out of the wallet are not watched: ${problem}`
    log.warn({ event: 'wallet-watch' }, message)
    notify(positionNotice('wallet-unwatched', message))
  }
  const settings = { ...chain, urls: chain.urls.map((url) => () => url.reveal()) }
  const watch = watchWallet({ settings, now: clock.now, submit, onProblem })
  if (watch.ok) return watch.value
  onProblem(watch.error)
  return null
}
