import { loadConfig } from '../../../src/daemon/config/load/load-config.ts'
import { createCalendar } from '../../../src/daemon/runtime/position/calendar.ts'
import { recover } from '../../../src/daemon/runtime/position/recover-position.ts'
import { strategiesFolder } from '../../../src/daemon/runtime/position/strategy-registry.ts'
import { openReader } from '../../../src/store/open-reader.ts'
import { TEST_ENV } from './running-daemon.ts'

/** Replays a store from its first event and gives the digest of the decisions after each one. */
export async function digestsOf(configFile: string): Promise<ReadonlyMap<number, string>> {
  const config = await loadConfig(configFile, TEST_ENV, { strategiesFolder: strategiesFolder() })
  if (!config.ok) throw new Error(JSON.stringify(config.error))
  const reader = openReader(config.value.store.path)
  if (!reader.ok) throw new Error(reader.error.message)
  const digests = new Map<number, string>()
  try {
    recover({
      snapshot: null,
      tail: reader.value.journal(1),
      suspensions: reader.value.suspensions(),
      strategyFor: () => config.value.strategy,
      calendar: createCalendar(),
      onAudit: ({ seq }, _audit, digest) => digests.set(seq, digest),
    })
  } finally {
    reader.value.close()
  }
  return digests
}
