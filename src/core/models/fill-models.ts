/**
 * The model that decides which takers trade with a quote in a backtest: the recorded takers, the recorded takers thinned by the
 * wider quote, takers routed as the recorded probes show, or takers drawn from a calibration. `docs/backtests.md` compares
 * them.
 */
export const FILL_MODELS = ['recorded', 'thinned', 'routed', 'simulated'] as const

export type FillModelName = (typeof FILL_MODELS)[number]
