import type { HoldingsView } from '../../../view/treasury/holdings-view.ts'
import { unknownPlace } from '../../../view/treasury/place-words.ts'
import { Column, TableHead } from '../table-head.tsx'
import { shownAge, shownDecimal } from '../text.ts'
import { BandRuler } from './band-ruler.tsx'
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
          {holdings.at === null ? 'not read yet' : `read ${shownAge(now - holdings.at)} ago`}
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
                      shownDecimal(onHand[asset], 2)
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {tokens.map(({ asset, band }) => band !== null && <BandRuler key={asset} asset={asset} band={band} />)}
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
                  {shownDecimal(token[column], 2)}
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
