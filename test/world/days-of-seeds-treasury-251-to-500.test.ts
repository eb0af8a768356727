import { runTreasuryDays } from './treasury/run-days.ts'

runTreasuryDays(251, 500)
