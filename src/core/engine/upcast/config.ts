import { DEFAULT_GAP_SETTINGS } from '../../models/fair-value/gap-filter.ts'
import { LATER_LIMITS_OFF } from '../../risk/risk-settings.ts'
import type { RfqSettings } from '../../rfq/rfq-settings.ts'
import type { CoreConfig, QuoteConfig } from '../model/config.ts'
import { recordOf, type Upcaster, type Written } from './upcaster.ts'

/** Until version 5 a configuration had only the fields of the release that wrote it. */
export const WHOLE_CONFIG: readonly Upcaster[] = (['started', 'reloaded'] as const).map((type) => ({
  type,
  below: 5,
  upcast: completeConfig,
}))

/** The fields that later releases added, with the values at which the core behaves as before. */
const CONFIG = {
  venueClock: null,
  publicRate: null,
  feeds: [],
  strictReadings: false,
  fairValue: DEFAULT_GAP_SETTINGS,
} satisfies Partial<CoreConfig>
const QUOTE = { drainMs: null } satisfies Partial<QuoteConfig>
const RFQ = { maxLifeMs: null, maxOrderUsd: null, maxOutstandingUsd: null } satisfies Partial<RfqSettings>

/** Adds the missing fields to the configuration of an event or a snapshot. */
export function completeConfig(written: Written): Written {
  const config = recordOf(written['config'])
  const { risk, quote, rfq } = config
  return {
    ...written,
    config: {
      ...CONFIG,
      ...config,
      risk: { ...LATER_LIMITS_OFF, ...recordOf(risk) },
      quote: { ...QUOTE, ...recordOf(quote) },
      rfq: rfq === null ? null : { ...RFQ, ...recordOf(rfq) },
    },
  }
}
