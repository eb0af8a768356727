import { CHOSEN as P, UNITS, type PanelPlan } from './panel-plan.ts'

/** Whether what came is what the calibration expects. */
export function scorecardPanels(): readonly PanelPlan[] {
  const of = (measure: string) => `${P}, measure="${measure}", side!="both"`
  const chart = (title: string, measure: string, unit: string, description: string): PanelPlan => ({
    kind: 'chart',
    title,
    description,
    unit,
    width: 8,
    queries: [
      { expr: `mizani_scorecard_realised{${of(measure)}}`, legend: '{{position}} {{side}} {{horizon}} came' },
      {
        expr: `mizani_scorecard_expected{${of(measure)}, bound!="value"}`,
        legend: '{{position}} {{side}} {{horizon}} {{bound}}',
      },
    ],
  })
  return [
    chart('Fills of the week', 'fills', UNITS.count, 'Beside the 90 % band of the calibration in force.'),
    chart(
      'Edge of the week',
      'edge',
      UNITS.bps,
      'What fills earned against the mid, beside the 90 % band of the calibration in force.',
    ),
    chart(
      'Markouts of the week',
      'markout',
      UNITS.bps,
      'What was left of the edge later. Below the band: takers know more than the calibration expects.',
    ),
    {
      kind: 'chart',
      title: 'Measures outside of their band',
      description: 'Of ten about one lies outside by chance.',
      unit: UNITS.count,
      width: 12,
      queries: [{ expr: `mizani_scorecard_outside{${P}}`, legend: '{{position}}' }],
    },
    {
      kind: 'chart',
      title: 'Age of the scorecard',
      description: 'Older than its --every: `mizani scorecard` does not run, or fails.',
      unit: UNITS.seconds,
      width: 12,
      queries: [{ expr: `mizani_scorecard_age_seconds{${P}}`, legend: '{{position}}' }],
    },
  ]
}

/** What a second strategy in the shadow would have done. */
export function challengerPanels(): readonly PanelPlan[] {
  const chart = (
    title: string,
    description: string,
    unit: string,
    queries: PanelPlan['queries'],
  ): PanelPlan => ({ kind: 'chart', title, description, unit, width: 8, queries })
  return [
    chart(
      'Challenger less champion, a day',
      'PnL less holding over the same takers, with one standard error. Zero between low and high: no difference is shown.',
      UNITS.usd,
      [{ expr: `mizani_challenger_difference_usd{${P}}`, legend: '{{position}} {{bound}}' }],
    ),
    chart('Days compared', 'What the difference rests on.', UNITS.count, [
      { expr: `mizani_challenger_days{${P}}`, legend: '{{position}}' },
    ]),
    chart(
      'Challenger suspended',
      '1: it threw, looped or asked for nothing possible; trading continues.',
      UNITS.count,
      [{ expr: `mizani_challenger_suspended{${P}}`, legend: '{{position}}' }],
    ),
  ]
}
