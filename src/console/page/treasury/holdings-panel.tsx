import type { HoldingsView } from '../../../view/treasury/holdings-view.ts'
import { unknownPlace } from '../../../view/treasury/place-words.ts'
import { Column, TableHead } from '../frame/table-head.tsx'
import { useWidth } from '../live/hooks.ts'
import { ageText, decimalText } from '../text.ts'
import type { ShownTreasury } from './use-treasury.ts'

const PLACES = {
  pool: 'Pool',
  lpWallet: 'LP wallet',
  treasury: 'Treasury',
  platform: 'Platform wallet',
  float: 'Ramp float',
} as const
const TOKENS = ['NTZS', 'USDC', 'USDT'] as const

/** Where every unit is, and how much of it is free. */
export function HoldingsPanel({ view }: { readonly view: ShownTreasury }) {
  const { holdings, now } = view
  const tokens = holdings.tokens.filter(({ asset }) => isUsed(holdings, asset))
  return (
    <section class="panel treasury-half" aria-labelledby="units">
      <h2 id="units">
        Where every unit is{' '}
        <span class="unit">
          {holdings.at === null ? 'not read yet' : `read ${ageText(now - holdings.at)} ago`}
        </span>
      </h2>
      {holdings.unreadable.map(({ rail, words }) => (
        <p key={rail} class="bad">
          {rail} cannot be read: {words}
        </p>
      ))}
      <Tokens tokens={tokens} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Places">
        <table>
          <TableHead>
            <Column>Place</Column>
            {tokens.map(({ asset }) => (
              <Column key={asset} number>
                {asset}
              </Column>
            ))}
          </TableHead>
          <tbody>
            {holdings.places.map(({ place, onHand }) => (
              <tr key={place}>
                <th scope="row">{PLACES[place]}</th>
                {tokens.map(({ asset }) => (
                  <td key={asset} class="number">
                    {onHand === null ? (
                      <Unknown place={place} holdings={holdings} />
                    ) : (
                      decimalText(onHand[asset], 2)
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {tokens.map((token) => token.band !== null && <Band key={token.asset} {...token} band={token.band} />)}
    </section>
  )
}

function Unknown(props: { readonly place: keyof typeof PLACES; readonly holdings: HoldingsView }) {
  const { words, isFault } = unknownPlace(props.place, props.holdings)
  return <span class={isFault ? 'bad' : 'unit'}>{words}</span>
}

function Tokens({ tokens }: Pick<HoldingsView, 'tokens'>) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Tokens">
      <table>
        <TableHead>
          <Column>Token</Column>
          <Column number>On hand</Column>
          <Column number>In transit</Column>
          <Column number>Reserved</Column>
          <Column number>Claims</Column>
          <Column number>Available</Column>
        </TableHead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.asset}>
              <th scope="row">{token.asset}</th>
              {(['onHand', 'inTransit', 'reserved', 'claims', 'available'] as const).map((column) => (
                <td
                  key={column}
                  class={`number ${column === 'claims' && token.claims !== '0' ? 'bad' : ''}`}
                  title={token[column]}
                >
                  {decimalText(token[column], 2)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function isUsed({ tokens, places }: HoldingsView, asset: (typeof TOKENS)[number]): boolean {
  const token = tokens.find((one) => one.asset === asset)
  if (token === undefined) return false
  const amounts = [token.inTransit, token.claims, token.reserved]
  return (
    token.band !== null ||
    amounts.some((amount) => amount !== '0') ||
    places.some(({ onHand }) => onHand !== null && onHand[asset] !== '0')
  )
}

type BandProps = HoldingsView['tokens'][number] & {
  readonly band: NonNullable<HoldingsView['tokens'][number]['band']>
}

const HEIGHT = 46
const MARGIN = 8

/** The ruler of a policy: refill below, target, skim above, and where the position stands. For the eye; the text has the figures. */
function Band({ asset, band }: BandProps) {
  const { ref, width } = useWidth()
  const [low, target, high, here] = [band.refillBelow, band.target, band.skimAbove, band.counted].map(Number)
  const end = 1.15 * Math.max(high ?? 0, here ?? 0, 1)
  const place = (amount: number | undefined) => MARGIN + ((amount ?? 0) / end) * (width - 2 * MARGIN)
  return (
    <div class="band" ref={ref}>
      <p class="note">
        {asset}: {decimalText(band.counted, 0)} counted; refill below {decimalText(band.refillBelow, 0)},
        target {decimalText(band.target, 0)}, skim above {decimalText(band.skimAbove, 0)}
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
