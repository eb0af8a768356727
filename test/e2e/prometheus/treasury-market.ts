/** Series -> values in promtool's notation, one a minute. */
type Market = Readonly<Record<string, string>>

const P = 'position="desk-1"'

/** An hour and a half of a treasury that refills once and that no one has to look at. */
export const HEALTHY_TREASURY: Market = {
  [`mizani_treasury_claims_open{${P}}`]: '0x90',
  [`mizani_treasury_residual_tzs{${P}}`]: '0x90',
  [`mizani_treasury_supply_alarm{${P}}`]: '0x90',
  // A forecast that swings is no case for a person.
  [`mizani_treasury_runs_dry_seconds{${P}, token="NTZS"}`]: '90000x80 7000x3 90000x7',
  [`mizani_treasury_counted{${P}, token="NTZS"}`]: '9000x30 4000x60',
  [`mizani_treasury_counted{${P}, token="USDC"}`]: '500x90',
  [`mizani_treasury_in_transit{${P}, token="NTZS"}`]: '0x35 4000x55',
  [`mizani_treasury_in_transit{${P}, token="USDC"}`]: '0x90',
  [`mizani_treasury_band{${P}, token="NTZS", bound="refill_below"}`]: '5000x90',
  [`mizani_treasury_band{${P}, token="NTZS", bound="target"}`]: '9000x90',
  [`mizani_treasury_approval_age_seconds{${P}}`]: '_x60 0+60x30',
  [`mizani_treasury_intents_late{${P}}`]: '0x80 1x3 0x7',
  [`mizani_treasury_rail_rested{${P}, route="swap"}`]: '0x90',
  [`mizani_treasury_webhooks_total{${P}, outcome="kept"}`]: '0+1x90',
  [`mizani_treasury_webhooks_total{${P}, outcome="forged"}`]: '0x20 3x70',
  [`mizani_alerts_total{${P}, severity="critical", code="treasury-claim-open"}`]: '0x90',
  [`mizani_alerts_total{${P}, severity="critical", code="treasury-stopped"}`]: '0x90',
}

/** What goes wrong with a treasury, and the alerts that must fire for it, no others. */
export const TREASURY_TROUBLES: readonly (readonly [string, Market, readonly string[]])[] = [
  [
    'a claim, which is notified once',
    {
      [`mizani_treasury_claims_open{${P}}`]: '0x85 1x5',
      [`mizani_alerts_total{${P}, severity="critical", code="treasury-claim-open"}`]: '0x85 1x5',
    },
    ['MizaniTreasuryClaimOpen'],
  ],
  [
    'a treasury that a person stopped',
    { [`mizani_alerts_total{${P}, severity="critical", code="treasury-stopped"}`]: '0x85 1x5' },
    ['MizaniAlertRaised'],
  ],
  [
    'books that are off by the smallest amount',
    { [`mizani_treasury_residual_tzs{${P}}`]: '0x80 -1e-36x10' },
    ['MizaniTreasuryResidual'],
  ],
  [
    'a token without backing',
    { [`mizani_treasury_supply_alarm{${P}}`]: '0x85 1x5' },
    ['MizaniTreasurySupply'],
  ],
  [
    'a side that runs dry',
    { [`mizani_treasury_runs_dry_seconds{${P}, token="NTZS"}`]: '9000-60x90' },
    ['MizaniTreasuryRunsDry'],
  ],
  [
    'a band that is undercut, and no refill on its way',
    { [`mizani_treasury_in_transit{${P}, token="NTZS"}`]: '0x90' },
    ['MizaniTreasuryLow'],
  ],
  [
    'a refill that is too small',
    { [`mizani_treasury_in_transit{${P}, token="NTZS"}`]: '0x35 999x55' },
    ['MizaniTreasuryLow'],
  ],
  [
    'a place that cannot be read',
    {
      [`mizani_treasury_counted{${P}, token="NTZS"}`]: '9000x30 stale',
      [`mizani_treasury_in_transit{${P}, token="NTZS"}`]: '0x90',
    },
    [],
  ],
  [
    'an approval that no one gives',
    { [`mizani_treasury_approval_age_seconds{${P}}`]: '_x10 0+60x80' },
    ['MizaniTreasuryApprovalWaiting'],
  ],
  [
    'an intent that does not arrive',
    { [`mizani_treasury_intents_late{${P}}`]: '0x80 1x10' },
    ['MizaniTreasuryIntentStuck'],
  ],
  [
    'a route that fails',
    { [`mizani_treasury_rail_rested{${P}, route="swap"}`]: '0x80 1x10' },
    ['MizaniTreasuryRouteRests'],
  ],
  [
    'webhooks that no one of ours signed',
    { [`mizani_treasury_webhooks_total{${P}, outcome="forged"}`]: '3x85 9x5' },
    ['MizaniTreasuryWebhookForged'],
  ],
]
