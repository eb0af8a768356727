import { ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import type { CurvePoint } from '../../report/pages/curve-svg.ts'
import { askInThread } from './ask-in-thread.ts'
import { approvedAlone } from './decide.ts'
import { type Situation, withImbalance } from './situation.ts'

/** Returns the strategy's target and risk's approval at each inventory, everything else as in the situation. */
export async function quoteCurve(
  config: LoadedConfig,
  inventories: readonly number[],
  situation: Situation,
): Promise<Result<readonly CurvePoint[], string>> {
  const situations = inventories.map((inventory) => withImbalance(situation, inventory))
  const asked = await askInThread(config, situations)
  if (!asked.ok) return asked
  return ok(
    asked.value.map((wanted, i) => {
      const { target } = approvedAlone(wanted, situations[i]!, config)
      const { bidBps, askBps } = target
      return {
        inventory: inventories[i]!,
        wanted: { bidBps: wanted.bidBps, askBps: wanted.askBps },
        bidBps,
        askBps,
      }
    }),
  )
}
