import { runTreasuryDays } from './treasury/run-days.ts'

runTreasuryDays(501, 750)
