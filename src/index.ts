/** The library of the package: backtests and calibrations without a daemon, and everything that a strategy may import. */
export * from './core/strategy/kit.ts'
export { backtest, calibrate, loadTape } from './research/jobs/library.ts'
export type { BacktestRequest, LibraryBacktest, TradeRow } from './research/jobs/library.ts'
export { neutralContext } from './daemon/config/strategy/try-strategy.ts'
export { rowsOfBatch } from './store/tape/model/batch.ts'
export type { TapeSource, TapeWindow } from './store/tape/model/batch.ts'
export type { TapeRow } from './store/tape/model/row.ts'
export type { Calibration } from './core/models/calibration.ts'
