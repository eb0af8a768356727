import type { BandView } from '../../../view/treasury/holdings-view.ts'
import { useWidth } from '../live/hooks.ts'
import { shownDecimal } from '../text.ts'

type Props = { readonly asset: string; readonly band: BandView }

const HEIGHT = 46
const MARGIN = 8

/** A policy's ruler: refill below, target, skim above, and the current holdings. Visual only; the text has the figures. */
export function BandRuler({ asset, band }: Props) {
  const { ref, width } = useWidth()
  const [low, target, high, here] = [band.refillBelow, band.target, band.skimAbove, band.counted].map(Number)
  const end = 1.15 * Math.max(high ?? 0, here ?? 0, 1)
  const place = (amount: number | undefined) => MARGIN + ((amount ?? 0) / end) * (width - 2 * MARGIN)
  return (
    <div class="band" ref={ref}>
      <p class="note">
        {asset}: {shownDecimal(band.counted, 0)} counted; refill below {shownDecimal(band.refillBelow, 0)},
        target {shownDecimal(band.target, 0)}, skim above {shownDecimal(band.skimAbove, 0)}
      </p>
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true">
          <rect class="range" x={place(low)} width={place(high) - place(low)} y={14} height={14} />
          {[low, target, high].map((level, index) => (
            <path key={index} class="level" d={`M${place(level)} 10v22`} />
          ))}
          <path class="mark" d={`M${place(here)} 29l-6 -10v-7h12v7z`} />
          <text x={place(target)} y={HEIGHT - 3} text-anchor="middle">
            target
          </text>
        </svg>
      )}
    </div>
  )
}
