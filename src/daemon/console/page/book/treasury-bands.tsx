import type { BandView } from '../../../view/treasury/holdings-view.ts'
import { query } from '../live/ask-api.ts'
import { treasuryRouteTo } from '../live/hooks.ts'
import { usePolled } from '../live/use-polled.ts'
import { BandRuler } from '../treasury/band-ruler.tsx'

type Answer = { readonly bands: readonly { readonly asset: string; readonly band: BandView }[] }

/** Levels change with the policy and amounts with a reading of the balances, so rare polls suffice. */
const EVERY_MS = 20_000

/** The treasury's refill and skim levels; renders nothing without a treasury. */
export function TreasuryBands({ position }: { readonly position: string }) {
  // A failed request keeps the last answer; the bar above the page reports that the daemon is unreachable.
  const { value } = usePolled<Answer>(`treasury/bands${query({ position })}`, EVERY_MS)
  const bands = value?.bands ?? []
  if (bands.length === 0) return null
  return (
    <>
      <p class="note">
        Bands of the <a href={treasuryRouteTo(position)}>treasury</a>, over pool, LP wallet and its own wallet
      </p>
      {bands.map(({ asset, band }) => (
        <BandRuler key={asset} asset={asset} band={band} />
      ))}
    </>
  )
}
