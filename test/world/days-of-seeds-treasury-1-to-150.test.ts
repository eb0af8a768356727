import { runTreasuryDays } from './treasury/run-days.ts'

runTreasuryDays(1, 150)
