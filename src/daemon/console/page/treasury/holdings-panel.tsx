import type { HoldingsView } from '../../../view/treasury/holdings-view.ts'
import { unknownPlace } from '../../../view/treasury/place-words.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { Panel } from '../panel.tsx'
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

/** The location of every unit, and the free part. */
export function HoldingsPanel({ view }: { readonly view: ShownTreasury }) {
  const { holdings, now } = view
  const tokens = holdings.tokens.filter(({ asset }) => isUsed(holdings, asset))
  // A place that nothing reads is not configured; one that cannot be read is shown.
  const places = holdings.places.filter(
    ({ place, onHand }) => onHand !== null || unknownPlace(place, holdings).isFault,
  )
  const placeColumns: readonly Column<HoldingsView['places'][number]>[] = [
    { title: 'Place', kind: 'head', cell: ({ place }) => PLACES[place] },
    ...tokens.map(({ asset }): Column<HoldingsView['places'][number]> => ({
      title: asset,
      kind: 'number',
      cell: ({ place, onHand }) =>
        onHand === null ? <Unknown place={place} holdings={holdings} /> : shownDecimal(onHand[asset], 2),
    })),
  ]
  return (
    <Panel
      id="units"
      class="treasury-half"
      title="Where every unit is"
      unit={holdings.at === null ? 'not read yet' : `read ${shownAge(now - holdings.at)} ago`}
    >
      {holdings.unreadable.map(({ rail, words }) => (
        <p key={rail} class="bad">
          {rail} cannot be read: {words}
        </p>
      ))}
      <DataTable label="Tokens" columns={tokenColumns(tokens)} rows={tokens} keyOf={({ asset }) => asset} />
      <DataTable label="Places" columns={placeColumns} rows={places} keyOf={({ place }) => place} />
      {tokens.map(({ asset, band }) => band !== null && <BandRuler key={asset} asset={asset} band={band} />)}
    </Panel>
  )
}

function Unknown(props: { readonly place: keyof typeof PLACES; readonly holdings: HoldingsView }) {
  const { words, isFault } = unknownPlace(props.place, props.holdings)
  return <span class={isFault ? 'bad' : 'unit'}>{words}</span>
}

type TokenRow = HoldingsView['tokens'][number]

/** What is under way appears where there is any. */
function tokenColumns(rows: readonly TokenRow[]): readonly Column<TokenRow>[] {
  const hasAny = (field: 'inTransit' | 'reserved' | 'claims') => rows.some((row) => row[field] !== '0')
  return [
    { title: 'Token', kind: 'head', cell: ({ asset }) => asset },
    tokenColumn('On hand', 'onHand'),
    ...(hasAny('inTransit') ? [tokenColumn('In transit', 'inTransit')] : []),
    ...(hasAny('reserved') ? [tokenColumn('Reserved', 'reserved')] : []),
    ...(hasAny('claims')
      ? [
          {
            ...tokenColumn('Claims', 'claims'),
            tone: ({ claims }: TokenRow) => (claims === '0' ? '' : 'bad'),
          },
        ]
      : []),
    tokenColumn('Available', 'available'),
  ]
}

function tokenColumn(
  title: string,
  field: 'onHand' | 'inTransit' | 'reserved' | 'claims' | 'available',
): Column<TokenRow> {
  return {
    title,
    kind: 'number',
    cell: (token) => shownDecimal(token[field], 2),
    hint: (token) => token[field],
  }
}

function isUsed({ tokens, places }: HoldingsView, asset: TokenRow['asset']): boolean {
  const token = tokens.find((one) => one.asset === asset)
  if (token === undefined) return false
  const amounts = [token.inTransit, token.claims, token.reserved]
  return (
    token.band !== null ||
    amounts.some((amount) => amount !== '0') ||
    places.some(({ onHand }) => onHand !== null && onHand[asset] !== '0')
  )
}
