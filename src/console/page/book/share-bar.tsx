import type { PositionView } from '../../../view/position-view.ts'
import { useWidth } from '../live/use-width.ts'
import { numberText } from '../text/number-text.ts'
import { offZones } from './off-zones.ts'

const HEIGHT = 64
const TRACK = { y: 22, height: 14 }

/** The share of dollars along a line, with the target and the stretches where a side is off. */
export function ShareBar({ view }: { readonly view: PositionView }) {
  const { ref, width } = useWidth()
  const { usdShare, target } = view.inventory
  const zones = offZones(view)
  const margin = 8
  const place = (share: number) => margin + share * (width - 2 * margin)
  return (
    <div class="sharebar" ref={ref}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true">
          <rect
            class="track"
            x={margin}
            width={width - 2 * margin}
            y={TRACK.y}
            height={TRACK.height}
            rx={3}
          />
          {zones.map(({ from, to, side, why }) => (
            <g key={`${side}${why}`} class="zone">
              <rect x={place(from)} width={place(to) - place(from)} y={TRACK.y} height={TRACK.height} />
              <path d={`M${place(side === 'ask' ? from : to)} ${TRACK.y - 5}v${TRACK.height + 10}`} />
            </g>
          ))}
          {(['bid', 'ask'] as const)
            .filter((side) => zones.some((zone) => zone.side === side))
            .map((side) => (
              <text
                key={side}
                class="zone-text"
                x={place(side === 'ask' ? 1 : 0)}
                y={TRACK.y - 8}
                text-anchor={side === 'ask' ? 'end' : 'start'}
              >
                {side} off
              </text>
            ))}
          <path class="target" d={`M${place(target)} ${TRACK.y - 6}v${TRACK.height + 12}`} />
          <text class="target-text" x={place(target)} y={HEIGHT - 4} text-anchor="middle">
            target {numberText(target * 100, 0)} %
          </text>
          <text x={margin} y={HEIGHT - 4}>
            0 %
          </text>
          <text x={width - margin} y={HEIGHT - 4} text-anchor="end">
            100 % dollars
          </text>
          {usdShare !== null && (
            <path class="here" d={`M${place(usdShare)} ${TRACK.y + TRACK.height + 1}l-7 -12v-9h14v9z`} />
          )}
        </svg>
      )}
    </div>
  )
}
