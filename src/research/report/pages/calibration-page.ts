import type { CalibrationSamples } from '../../calibration/calibrate.ts'
import type { Calibration, Estimate, Intensity } from '../../../core/models/calibration.ts'
import { type Figure, figureText } from '../figures/figure.ts'
import { fillsBySpreadFigure } from '../figures/fills-by-spread.ts'
import { markoutFigure } from '../figures/inventory.ts'
import { renderPage } from '../render-page.ts'
import type { ReportTable } from '../report-data.ts'
import { SEGMENT_HEAD, segmentRows } from './segment-rows.ts'
import { dateText, minuteText } from '../../../base/text/times.ts'

const METHODS: Readonly<Record<Intensity['method'], string>> = {
  likelihood: 'maximum likelihood',
  posterior: 'posterior, with the prior',
  default: 'the prior, not measured',
}

/** Returns a calibration as one HTML file: fills by half-spread with the fitted law and its band, markouts, sizes, estimates. */
export function calibrationPage(calibration: Calibration, samples: CalibrationSamples): string {
  const { both, from, to, fills, prints, sigma, warnings } = calibration
  return renderPage({
    title:
      to === 0 ? 'Calibration of a tape without rows' : `Calibration, ${dateText(from)} to ${dateText(to)}`,
    warnings,
    headline: [
      {
        label: '1/k, decay of the fills with the half-spread',
        value: `${shortText(1 / both.k.value)} bps`,
        note: `90 % CI ${shortText(1 / both.k.high)} to ${shortText(1 / both.k.low)}; ${METHODS[both.method]}`,
      },
      {
        label: 'A, fills a day and side without spread',
        value: shortText(both.a.value),
        note: intervalOf(both.a),
      },
      {
        label: 'Fills',
        value: figureText(fills, 0),
        note: `${figureText(both.exposureDays, 1)} days within reach`,
      },
      { label: 'Rate updates', value: figureText(prints, 0) },
      {
        label: 'Volatility, bps per root of a day',
        value: sigma === null ? 'unknown' : shortText(sigma.value),
        note: sigma === null ? 'too few published rates' : intervalOf(sigma),
      },
    ],
    figures: [
      ...(['both', 'bid', 'ask'] as const).flatMap((id) => intensityFigure(id, calibration, samples)),
      markoutFigure({
        markouts: calibration.markouts.map(({ horizon, bps: { value, low, high }, fills: of }) => ({
          horizon,
          bps: value,
          ci90: Number.isFinite(low) && Number.isFinite(high) ? [low, high] : null,
          fills: of,
        })),
      }),
      sizesFigure(calibration),
    ],
    tables: [estimates(calibration), ...segmentTable(calibration), windowTable(calibration)],
  })
}

function intensityFigure(id: 'both' | 'bid' | 'ask', calibration: Calibration, samples: CalibrationSamples) {
  const law = calibration[id]
  if (law === null) return []
  const { bps, days, counts } = samples[id]
  const figure = fillsBySpreadFigure({ law, spreads: { bps, days, fills: counts } })
  const title = `Fills against half-spread, ${id === 'both' ? 'both sides' : id}`
  return [{ ...figure, id, title, ...(id === 'both' ? { size: 'whole' as const } : {}) }]
}

/** Quantiles .05, .1 ... .95 as the share of the fills below a size. */
function sizesFigure({ sizesUsd }: Calibration): Figure {
  const median = sizesUsd[9] ?? NaN
  return {
    id: 'sizes',
    title: 'Sizes of the fills',
    unit: '% of the fills below',
    digits: 0,
    words:
      sizesUsd.length === 0
        ? 'The tape has no fills.'
        : `Half of the fills are below ${figureText(median, 2)} USD, one in twenty below ${figureText(sizesUsd[0] ?? NaN, 2)}, one in twenty above ${figureText(sizesUsd.at(-1) ?? NaN, 2)}.`,
    chart:
      sizesUsd.length === 0
        ? null
        : {
            kind: 'plane',
            xUnit: 'USD',
            x: Float64Array.from(sizesUsd),
            toZero: true,
            lines: [
              {
                name: 'Share below',
                colour: 'green',
                values: Float64Array.from(sizesUsd, (_, i) => 5 * (i + 1)),
              },
            ],
          },
  }
}

function estimates({ both, bid, ask, sigma }: Calibration): ReportTable {
  const of = (side: string, intensity: Intensity | null) =>
    intensity === null
      ? []
      : [
          [`A ${side}`, ...cells(intensity.a), 'fills a day', METHODS[intensity.method]],
          [`k ${side}`, ...cells(intensity.k), 'per bps', METHODS[intensity.method]],
        ]
  return {
    title: 'Estimates with their 90 % intervals',
    head: ['', 'Value', 'Low', 'High', 'Unit', 'By'],
    rows: [
      ...of('both sides', both),
      ...of('bid', bid),
      ...of('ask', ask),
      ...(sigma === null ? [] : [['sigma', ...cells(sigma), 'bps per root of a day', 'rate updates']]),
    ],
  }
}

function segmentTable(calibration: Calibration): readonly ReportTable[] {
  const rows = segmentRows(calibration)
  return rows.length === 0 ? [] : [{ title: 'Segments of takers, 90 % intervals', head: SEGMENT_HEAD, rows }]
}

function windowTable({ from, to, fills, prints }: Calibration): ReportTable {
  return {
    title: 'Data',
    head: ['', ''],
    rows: [
      ['from', to === 0 ? 'no rows' : minuteText(from)],
      ['to', to === 0 ? 'no rows' : minuteText(to)],
      ['fills', figureText(fills, 0)],
      ['rate updates', figureText(prints, 0)],
    ],
  }
}

function cells({ value, low, high }: Estimate): readonly string[] {
  return [value, low, high].map(shortText)
}

function intervalOf({ low, high }: Estimate): string {
  return `90 % CI ${shortText(low)} to ${shortText(high)}`
}

/** Formats four significant digits without an exponent. */
function shortText(value: number): string {
  const magnitude = value === 0 || !Number.isFinite(value) ? 0 : Math.floor(Math.log10(Math.abs(value)))
  return figureText(value, Math.min(9, Math.max(0, 3 - magnitude)))
}
