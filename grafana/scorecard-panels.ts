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
      description: 'The week is compared once an hour. Older: the log has the reason.',
      unit: UNITS.seconds,
      width: 12,
      queries: [{ expr: `mizani_scorecard_age_seconds{${P}}`, legend: '{{position}}' }],
    },
  ]
}
