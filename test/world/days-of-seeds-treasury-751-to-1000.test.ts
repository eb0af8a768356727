import { runTreasuryDays } from './treasury/run-days.ts'

runTreasuryDays(751, 1000)
