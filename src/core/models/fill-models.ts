/**
 * What decides who trades with a quote in a backtest: the recorded takers as they were, thinned by the wider quote, sent by the
 * router as the recorded probes show, or drawn from a calibration. `docs/backtests.md` compares them.
 */
export const FILL_MODELS = ['recorded', 'thinned', 'routed', 'simulated'] as const

export type FillModelName = (typeof FILL_MODELS)[number]
